//! Files by their hashes.

use fleet_api::routes;

use crate::house::{House, sha256};

#[test]
fn a_file_comes_back_as_it_went_in() {
    let house = House::new();
    let admin = house.admin();
    let text = "an engine\n".repeat(100_000);
    let path = routes::artifact(&sha256(&text));
    assert_eq!(admin.get(&path).status, 404);
    for _ in 0..2 {
        assert_eq!(admin.send("PUT", &path, text.as_bytes()).status, 200);
    }
    let said = admin.get(&path);
    assert_eq!(said.status, 200);
    assert!(said.body == text);
}

#[test]
fn a_file_that_is_another_one_leaves_nothing() {
    let house = House::new();
    let admin = house.admin();
    let path = routes::artifact(&sha256("whole"));
    let said = admin.send("PUT", &path, b"who");
    assert_eq!((said.status, said.code().as_str()), (422, "refused"));
    assert_eq!(admin.get(&path).status, 404);
    let folder = house.data.join("artifacts").join(&sha256("whole")[..2]);
    let left = std::fs::read_dir(folder).map_or(0, Iterator::count);
    assert_eq!(left, 0, "a temporary file stayed");
}
