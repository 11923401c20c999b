//! Declarations of options, good and bad.

use uci::{OptionDecl, OptionKind};

/// The declaration as this crate would write it, or what is wrong with it.
fn read(declaration: &str) -> String {
    match OptionDecl::parse(declaration.as_bytes()) {
        Ok(option) => {
            let text = option.to_string();
            let again = OptionDecl::parse(text.strip_prefix("option ").unwrap().as_bytes());
            assert_eq!(again.as_ref(), Ok(&option), "it is read as it is written");
            text.strip_prefix("option name ").unwrap().to_owned()
        }
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn check(declaration: &str, want: &str) {
    assert_eq!(read(declaration), want);
}

#[test]
fn all_five_types_are_read() {
    check(
        "name Hash type spin default 16 min 1 max 33554432",
        "Hash type spin default 16 min 1 max 33554432",
    );
    check(
        "name Ponder type check default false",
        "Ponder type check default false",
    );
    check("name Clear Hash type button", "Clear Hash type button");
    check(
        "name SyzygyPath type string default <empty>",
        "SyzygyPath type string default <empty>",
    );
    check(
        "name Style type combo default Very Solid var Very Solid var Normal var Risky Play",
        "Style type combo default Very Solid var Very Solid var Normal var Risky Play",
    );
}

#[test]
fn names_may_hold_the_words_of_the_protocol() {
    check(
        "name Piece type type spin default 1 min 0 max 5",
        "Piece type type spin default 1 min 0 max 5",
    );
    check(
        "name default value type check default true",
        "default value type check default true",
    );
    check(
        "name name of type name type button",
        "name of type name type button",
    );
    check(
        "name My type string type check default true",
        "My type string type check default true",
    );
    check(
        "name Use default min max var type check default true",
        "Use default min max var type check default true",
    );
    check(
        "name value type string default a value",
        "value type string default a value",
    );
}

#[test]
fn case_and_blanks_do_not_matter_in_keywords_and_are_kept_in_texts() {
    check(
        "NAME  hAsH \t TYPE  Spin  MIN 1 Default 2 MAX 3",
        "hAsH type spin default 2 min 1 max 3",
    );
    check(
        "name Path type string default C:\\Program Files\\x y",
        "Path type string default C:\\Program Files\\x y",
    );
    let Ok(OptionDecl {
        kind: OptionKind::String { default },
        ..
    }) = OptionDecl::parse(b"name Path type string default  two  blanks \r\n")
    else {
        panic!("a string")
    };
    assert_eq!(default, "two  blanks");
}

#[test]
fn what_is_not_stated_is_not_needed() {
    check("name A type check", "A type check");
    check("name A type check default", "A type check");
    check("name A type string", "A type string default <empty>");
    check(
        "name A type string default",
        "A type string default <empty>",
    );
    check(
        "name A type combo var x var y",
        "A type combo default <empty> var x var y",
    );
    check("name A type combo", "A type combo default <empty>");
    assert_eq!(
        OptionDecl::parse(b"name A type spin default 4")
            .unwrap()
            .kind,
        OptionKind::Spin {
            default: Some(4),
            min: i64::MIN,
            max: i64::MAX
        },
    );
    assert_eq!(
        OptionDecl::parse(b"name A type spin default min 1 max 4")
            .unwrap()
            .kind,
        OptionKind::Spin {
            default: None,
            min: 1,
            max: 4
        },
    );
}

#[test]
fn combo_values_may_hold_keywords() {
    let vars = |declaration: &str| match OptionDecl::parse(declaration.as_bytes()).unwrap().kind {
        OptionKind::Combo { default, vars } => (default, vars.join("|")),
        kind => panic!("{kind:?}"),
    };
    let pair = |default: &str, vars: &str| (default.to_owned(), vars.to_owned());
    assert_eq!(
        vars("name A type combo default no book var no book var default book"),
        pair("no book", "no book|default book")
    );
    assert_eq!(
        vars("name A type combo var x y var z default z"),
        pair("z", "x y|z")
    );
    assert_eq!(
        vars("name A type combo default <empty> var <empty> var x"),
        pair("", "|x")
    );
    assert_eq!(
        vars("name A type combo default var var var x"),
        pair("", "var|x")
    );
}

#[test]
fn a_bad_declaration_says_what_is_wrong_with_it() {
    check("", "option without a name: ``");
    check("Hash type spin", "option without a name: `Hash type spin`");
    check("name", "option without a name: `name`");
    check(
        "name type spin default 1",
        "option without a name: `name type spin default 1`",
    );
    let no_type = "without a type that is one of check, spin, combo, button and string";
    check("name Hash", &format!("option `Hash` {no_type}"));
    check("name Hash type", &format!("option `Hash type` {no_type}"));
    check(
        "name Hash type float default 1",
        &format!("option `Hash type float default 1` {no_type}"),
    );
    check(
        "name A type spin default x min y max z",
        "option `A` has `x` for its `default`",
    );
    check(
        "name A type spin default 0.5 min 0 max 1",
        "option `A` has `0.5` for its `default`",
    );
    check(
        "name A type spin default 1 min 1 max 1e9",
        "option `A` has `1e9` for its `max`",
    );
    check(
        "name A type spin default 1 min 0 max 99999999999999999999",
        "option `A` has `99999999999999999999` for its `max`",
    );
    check(
        "name A type spin min 5 max 4",
        "option `A` has min 5 above max 4",
    );
    check(
        "name A type check default maybe",
        "option `A` has `maybe` for its `default`",
    );
    check(
        &format!("name {} type button", "x".repeat(100_000)),
        "an option line of 100017 bytes is ignored, 65536 are allowed",
    );
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    let option = OptionDecl::parse(b"name Gr\xf6\xdfe type string default \xb7").unwrap();
    assert_eq!(
        option.to_string(),
        "option name Gr\u{fffd}\u{fffd}e type string default \u{fffd}"
    );
}
