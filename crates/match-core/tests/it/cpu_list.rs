//! Lists of CPUs.

use match_core::cpu_list::CpuList;

#[test]
fn a_list_is_read_and_written_as_the_kernel_does_it() {
    for (text, cpus, written) in [
        ("0", &[0][..], "0"),
        ("0-3,8", &[0, 1, 2, 3, 8], "0-3,8"),
        ("9-11\n", &[9, 10, 11], "9-11"),
        (" 5 , 1-2,2,3", &[1, 2, 3, 5], "1-3,5"),
        ("8191", &[8191], "8191"),
    ] {
        let list: CpuList = text.parse().expect(text);
        assert_eq!(list.iter().collect::<Vec<_>>(), cpus);
        assert_eq!(list.to_string(), written);
    }
}

#[test]
fn what_is_no_list_is_refused_with_what_is_allowed() {
    for text in [
        "",
        ",",
        "a",
        "3-1",
        "1-",
        "-1",
        "0,,1",
        "8192",
        "0-4000000000",
        "0x3",
        "all",
    ] {
        let error = text.parse::<CpuList>().expect_err(text);
        assert!(
            error
                .to_string()
                .starts_with(&format!("`{text}` is no list of CPUs"))
        );
    }
}
