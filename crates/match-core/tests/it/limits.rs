//! Time controls as people write them.

use std::time::Duration;

use match_core::limits::{Limits, TimeControl, parse_tc};

/// A time control as it is understood, or what is wrong with it.
#[track_caller]
fn check(text: &str, want: &str) {
    let got = match parse_tc(text) {
        Ok(None) => "none".to_owned(),
        Ok(Some(control)) => {
            assert_eq!(
                control.to_string().parse(),
                Ok(control),
                "it is read as it is written"
            );
            control.to_string()
        }
        Err(error) => error.why.to_string(),
    };
    assert_eq!(got, want, "{text}");
}

#[test]
fn all_forms_are_read() {
    check("8+0.08", "8+0.08");
    check("10", "10");
    check("40/60", "40/60");
    check("40/10+0.1", "40/10+0.1");
    check("2:30+1", "150+1");
    check("40/1:30:00", "40/5400");
    check("0:0.5", "0.5");
    check("2+0.02s", "2+0.02");
    check("2s+0.02s", "2+0.02");
    check(".5+.25", "0.5+0.25");
    check("5.", "5");
    check(" 1+0 ", "1");
    check("0+5", "0+5");
    check("inf", "none");
}

#[test]
fn numbers_are_exact() {
    let control: TimeControl = "0.1+0.08".parse().unwrap();
    assert_eq!(control.base, Duration::from_millis(100));
    assert_eq!(control.increment, Duration::from_millis(80));
    for (text, nanos) in [
        ("0.07", 70_000_000),
        ("0.000000001", 1),
        ("4.35", 4_350_000_000),
        ("1.10", 1_100_000_000),
    ] {
        assert_eq!(
            text.parse::<TimeControl>().unwrap().base,
            Duration::from_nanos(nanos),
            "{text}"
        );
    }
    assert_eq!(
        "100000.000".parse::<TimeControl>().unwrap().base,
        Duration::from_secs(100_000)
    );
    check(
        "1.0000000001",
        "has `1.0000000001`, which is finer than a nanosecond",
    );
    check("1.1000000000000", "1.1");
}

#[test]
fn what_is_no_time_control_says_why() {
    let form = "is not `[moves/]base+inc`, such as `8+0.08`, `40/60`, `2:30+1` or `inf`";
    let no_time = |part: &str| format!("has `{part}` where seconds, `m:s` or `h:m:s` are allowed");
    check("", form);
    check("40/", form);
    check("blitz", &no_time("blitz"));
    check("5+", &no_time(""));
    check("+5", &no_time(""));
    check("-5", &no_time("-5"));
    check("5+-1", &no_time("-1"));
    check("1e3", &no_time("1e3"));
    check("1.2.3", &no_time("1.2.3"));
    check("1:2:3:4", &no_time("1:2:3:4"));
    check(":30", &no_time(":30"));
    check("1,5", &no_time("1,5"));
    check(".", &no_time("."));
    check("ss", &no_time("ss"));
    check(
        "0",
        "gives no time at all: the base or the increment must be more than 0",
    );
    check(
        "40/0+0",
        "gives no time at all: the base or the increment must be more than 0",
    );
    check(
        "0/60",
        "has `0` moves in a period: a whole number from 1 is allowed",
    );
    check(
        "x/60",
        "has `x` moves in a period: a whole number from 1 is allowed",
    );
    check(
        "86400001",
        "has `86400001`, which is more than a thousand days",
    );
    check(
        "99999999999999999999",
        "has `99999999999999999999`, which is more than a thousand days",
    );
}

#[test]
fn several_stages_are_refused_and_not_read_as_something_else() {
    let stages = "has several stages: one is supported, which repeats when its moves are made";
    check("40/10+0.1:20+0.2", stages);
    check("40/10:20/5", stages);
    check("40/10+0.1:20/5+1", stages);
    check("40/5:10+1:30", stages);
}

#[test]
fn the_message_holds_the_whole_text() {
    assert_eq!(
        parse_tc("5+x").unwrap_err().to_string(),
        "time control `5+x` has `x` where seconds, `m:s` or `h:m:s` are allowed",
    );
}

#[test]
fn pgn_tells_the_clock_or_the_time_a_move() {
    let tag = |tc: &str, move_time: Option<u64>| {
        let limits = Limits {
            clock: parse_tc(tc).unwrap(),
            move_time: move_time.map(Duration::from_millis),
            ..Limits::default()
        };
        assert_eq!(limits.is_unbounded(), tc == "inf" && move_time.is_none());
        limits.time_control_tag()
    };
    assert_eq!(tag("40/10+0.1", None), "40/10+0.1");
    assert_eq!(tag("40/10+0.1", Some(500)), "40/10+0.1");
    assert_eq!(tag("inf", Some(500)), "0.5/move");
    assert_eq!(tag("inf", None), "-");
}
