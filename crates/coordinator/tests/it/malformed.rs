//! Whatever somebody sends is answered, and never with a fault of ours.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use fleet_api::{Report, routes};
use serde_json::{Value, json};

use crate::house::{House, Said, pairs, sha256, whites_crash};
use crate::operations::{Operation, operations};

/// Bodies that are nothing that any route takes.
const BODIES: [&[u8]; 30] = [
    b"",
    b" ",
    b"\0",
    b"{",
    b"}",
    b"{}}",
    b"[",
    b"[]",
    b"[[[[]]]]",
    b"null",
    b"true",
    b"0",
    b"-0",
    b"1e999",
    b"NaN",
    b"\"text\"",
    b"\"\\ud800\"",
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"{\"",
    b"{\"a\"}",
    b"{\"a\":}",
    b"{\"a\":1,}",
    b"{'a':1}",
    b"{\"a\":\"\xff\"}",
    b"{\"a\":\"\\u0000\"}",
    b"a=1&b=2",
    b"<?xml version=\"1.0\"?><a/>",
    b"--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--",
    b"{} {}",
];

/// Names that nothing has.
const NAMES: [&str; 24] = [
    "x",
    "0",
    "-1",
    "%00",
    "%ff",
    "%c3%28",
    "%2e%2e",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "..",
    "%",
    "%zz",
    "%252e",
    "a%20b",
    "a%0d%0aSet-Cookie:x",
    "%F0%9F%98%80",
    "'%20OR%201=1--",
    "%27;DROP%20TABLE%20tests;--",
    "$1",
    "*",
    "null",
    "99999999999999999999999999",
    "00000000-0000-0000-0000-000000000000",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "a?b=%00&c[]=%ff&d=99999999999999999999",
];

/// Values to be put in the place of others.
fn values() -> Vec<Value> {
    let mut deep = json!([]);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(0),
        json!(0.5),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e308),
        json!(-1e308),
        json!(""),
        json!("\u{1}\u{7f}\r\n"),
        json!("\u{202e}\u{feff}\u{1f600}"),
        json!("../../etc/passwd"),
        json!("'; DROP TABLE tests; --"),
        json!("x".repeat(100_000)),
        json!([]),
        json!({}),
        json!([null, {"a": [1]}]),
        deep,
    ]
}

/// Whether it was refused as it should be.
#[track_caller]
fn assert_refused(said: &Said, what: &str) {
    assert!((400..500).contains(&said.status), "{what}: {said:?}");
    said.code();
}

/// A test with a lease, and what the names in the addresses are.
struct Stage {
    house: House,
    test: String,
    lease: String,
    first: u64,
}

impl Stage {
    fn on(house: House) -> Self {
        let admin = house.admin();
        let test = admin.submit(&pairs(64));
        let grant = admin.claim("w", "a").expect("there is work");
        Self {
            test,
            lease: grant.lease,
            first: grant.first_pair,
            house,
        }
    }

    /// The address of `operation` with a name that something has.
    fn address(&self, operation: &Operation) -> String {
        let hash = "a".repeat(64);
        operation.at(match operation.path.as_str() {
            path if path.contains("/tests/") => &self.test,
            path if path.contains("/leases/") => &self.lease,
            path if path.contains("/artifacts/") => &hash,
            _ => "x",
        })
    }

    /// A body that `operation` takes seriously.
    fn seed(&self, operation: &Operation) -> Value {
        if operation.path.ends_with("/pairs") {
            let report = Report {
                pairs: vec![whites_crash(self.first)],
            };
            return serde_json::to_value(report).expect("JSON");
        }
        operation.sample()
    }
}

#[test]
fn bodies_that_are_nothing_are_the_senders_fault() {
    let stage = Stage::on(House::new());
    let admin = stage.house.admin();
    for operation in operations().iter().filter(|operation| operation.changes()) {
        let takes_nothing = !operation.takes_json() && operation.method != "PUT";
        for body in BODIES.iter().filter(|_| !takes_nothing) {
            let said = admin.send(&operation.method, &stage.address(operation), body);
            let what = format!("{operation:?} {}", String::from_utf8_lossy(body));
            assert_refused(&said, &what);
        }
    }
}

#[test]
fn names_that_nothing_has_are_the_askers_fault() {
    let house = House::new();
    let admin = house.admin();
    for operation in operations() {
        for name in NAMES.iter().filter(|_| operation.has_parameter()) {
            let body = match operation.takes_json() {
                true => operation.sample().to_string(),
                false => String::new(),
            };
            let said = raw(&house, &operation.method, &operation.at(name), &body);
            assert_refused(&said, &format!("{operation:?} {name}"));
        }
    }
    assert_eq!(admin.get(routes::HEALTH).status, 200);
}

#[test]
fn no_value_in_any_place_of_a_body_is_a_fault_of_ours() {
    every_value_in_every_place(House::new());
}

/// Puts every value in every place of every body; on PostgreSQL too.
pub(crate) fn every_value_in_every_place(house: House) {
    let stage = Stage::on(house);
    let admin = stage.house.admin();
    let mut sent = 0;
    for operation in operations()
        .iter()
        .filter(|operation| operation.takes_json())
    {
        let seed = stage.seed(operation);
        for place in places(&seed, "") {
            for value in values() {
                let mut body = seed.clone();
                *body.pointer_mut(&place).expect("the place is there") = value;
                let said = admin.send(
                    &operation.method,
                    &stage.address(operation),
                    body.to_string().as_bytes(),
                );
                let shown: String = body.to_string().chars().take(300).collect();
                assert!(said.status < 500, "{operation:?} {shown}: {said:?}");
                if said.status >= 400 {
                    said.code();
                }
                sent += 1;
            }
        }
    }
    assert!(sent > 500, "{sent} requests");
    let shown = admin.show(&stage.test);
    assert!(shown["pairs"].as_u64() <= Some(1), "{shown}");
}

/// The JSON pointers of all that is in `value`.
fn places(value: &Value, here: &str) -> Vec<String> {
    let mut found = vec![here.to_owned()];
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                found.extend(places(value, &format!("{here}/{name}")));
            }
        }
        Value::Array(items) => {
            for (i, value) in items.iter().enumerate() {
                found.extend(places(value, &format!("{here}/{i}")));
            }
        }
        _ => {}
    }
    found
}

#[test]
fn a_body_that_will_be_too_long_is_refused_before_it_comes() {
    let stage = Stage::on(House::new());
    let token = stage.house.admin_token();
    let has_body = |operation: &&Operation| operation.takes_json() || operation.method == "PUT";
    for operation in operations().iter().filter(has_body) {
        let mut stream = stage.house.connect();
        write!(
            stream,
            "{} {} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
             content-length: 9999999999\r\n\r\n",
            operation.method,
            stage.address(operation),
        )
        .expect("it listens");
        let said = answer(&mut stream);
        assert!(said.starts_with("HTTP/1.1 413 "), "{operation:?}: {said}");
        assert!(said.contains("\"too_large\""), "{operation:?}: {said}");
    }
}

#[test]
fn a_body_that_hides_its_length_is_refused_when_it_is_too_long() {
    let house = House::new();
    let token = house.admin_token();
    let mut stream = house.connect();
    write!(
        stream,
        "POST {} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
         transfer-encoding: chunked\r\n\r\n",
        routes::CLAIMS
    )
    .expect("it listens");
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 16, " ".repeat(1 << 16));
    for _ in 0..48 {
        stream.write_all(chunk.as_bytes()).expect("it listens");
    }
    let said = answer(&mut stream);
    assert!(said.starts_with("HTTP/1.1 413 "), "{said}");
}

#[test]
fn what_is_no_http_is_answered_with_a_problem() {
    let house = House::new();
    let head = "HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\n";
    let many = "a: b\r\n".repeat(10_000);
    let long = "a".repeat(1 << 20);
    let rubbish: Vec<Vec<u8>> = vec![
        b"\0".to_vec(),
        b"hello\r\n\r\n".to_vec(),
        b"GET\r\n\r\n".to_vec(),
        b"GET /\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"GET / HTTP/3.0\r\nhost: x\r\n\r\n".to_vec(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec(),
        b"GET /\x01 HTTP/1.1\r\nhost: x\r\n\r\n".to_vec(),
        b"GET / HTTP/1.1\r\nhost: x\0y\r\n\r\n".to_vec(),
        b"GET / HTTP/1.1\r\n".to_vec(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        b"GET http://[::1 HTTP/1.1\r\n\r\n".to_vec(),
        b"GET /\xff\xfe HTTP/1.1\r\nhost: x\r\n\r\n".to_vec(),
        b"CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n".to_vec(),
        format!("GET /{long} HTTP/1.1\r\n\r\n").into_bytes(),
        format!("GET /healthz HTTP/1.1\r\n{many}\r\n").into_bytes(),
        format!("GET /healthz HTTP/1.1\r\na: {long}\r\n\r\n").into_bytes(),
        b"GET /healthz HTTP/1.1\r\nno colon\r\n\r\n".to_vec(),
        b"GET /healthz HTTP/1.1\r\na: \x01\r\n\r\n".to_vec(),
        format!("POST /api/v1/claims {head}content-length: -1\r\n\r\n").into_bytes(),
        format!("POST /api/v1/claims {head}content-length: x\r\n\r\n").into_bytes(),
        format!("POST /api/v1/claims {head}content-length: 5\r\ncontent-length: 6\r\n\r\n{{}}")
            .into_bytes(),
        format!("POST /api/v1/claims {head}content-length: 100\r\n\r\n{{}}").into_bytes(),
        format!("POST /api/v1/claims {head}transfer-encoding: chunked\r\n\r\nzz\r\n{{}}\r\n")
            .into_bytes(),
        format!(
            "POST /api/v1/claims {head}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n"
        )
        .into_bytes(),
        format!("POST /api/v1/claims {head}transfer-encoding: gzip\r\n\r\n").into_bytes(),
        format!(
            "POST /api/v1/claims {head}content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{{}}"
        )
        .into_bytes(),
    ];
    for bytes in rubbish {
        let mut stream = house.connect();
        // It may hang up before all is sent.
        let _hung_up = stream.write_all(&bytes);
        // A head without an end is known as such when no more comes; who hangs up behind one that has an
        // end does not wait for an answer.
        if !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
            let _hung_up = stream.shutdown(Shutdown::Write);
        }
        let said = answer(&mut stream);
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
        assert_problem(&said, &shown);
    }
    // Nothing is no request, and not a wrong one.
    for nothing in ["", "\r\n\r\n\r\n\r\n"] {
        let mut stream = house.connect();
        stream.write_all(nothing.as_bytes()).expect("it listens");
        stream.shutdown(Shutdown::Write).expect("it is open");
        assert_eq!(answer(&mut stream), "");
    }
    assert_eq!(house.admin().get(routes::HEALTH).status, 200);
}

/// Whether an answer, head and body, is a problem.
#[track_caller]
fn assert_problem(said: &str, what: &str) {
    let (head, body) = said.split_once("\r\n\r\n").unwrap_or_default();
    assert!(head.starts_with("HTTP/1.1 4"), "{what:?}: {said:?}");
    let head = head.to_lowercase();
    assert!(
        head.contains("content-type: application/json"),
        "{what:?}: {said:?}"
    );
    assert!(
        head.contains(&format!("content-length: {}", body.len())),
        "{what:?}: {said:?}"
    );
    let status = head[9..12].parse().expect("a status");
    Said::new(status, body.to_owned()).code();
}

#[test]
fn what_is_no_request_after_some_that_are_is_answered_with_a_problem_too() {
    let house = House::new();
    let mut stream = house.connect();
    for path in ["/healthz", "/nothing"] {
        write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").expect("it listens");
        let mut said = Vec::new();
        while !said.ends_with(b"}") && !said.ends_with(b"ok\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("an answer");
            said.extend(byte);
        }
    }
    stream.write_all(b"rubbish\r\n\r\n").expect("it listens");
    assert_problem(&answer(&mut stream), "the third");
}

/// An answer is never taken for one of those that are said in other words.
#[test]
fn a_file_that_looks_like_an_answer_is_sent_as_it_is() {
    let house = House::new();
    let text = "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    let path = routes::artifact(&sha256(text));
    let admin = house.admin();
    assert_eq!(admin.send("PUT", &path, text.as_bytes()).status, 200);
    assert_eq!(admin.get(&path).body, text);
}

#[test]
fn a_body_that_breaks_off_is_no_report() {
    let stage = Stage::on(House::new());
    let token = stage.house.admin_token();
    let body = stage.seed(
        operations()
            .iter()
            .find(|operation| operation.path.ends_with("/pairs"))
            .expect("reports"),
    );
    let body = body.to_string();
    let path = routes::report(&stage.lease);
    let mut stream = stage.house.connect();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n{}",
        body.len() + 1,
        body
    )
    .expect("it listens");
    stream.shutdown(Shutdown::Write).expect("it is open");
    let said = answer(&mut stream);
    assert!(
        said.is_empty() || said.starts_with("HTTP/1.1 400"),
        "{said}"
    );
    assert_eq!(stage.house.admin().show(&stage.test)["pairs"], 0);
}

/// All that is said before the end, as text.
fn answer(stream: &mut TcpStream) -> String {
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .expect("a timeout");
    let mut said = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => said.extend_from_slice(&buffer[..n]),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break,
            Err(error) => panic!("no answer in half a minute: {error}"),
        }
        // A connection that is kept goes on without an end: a whole problem is enough.
        if said.ends_with(b"}") {
            break;
        }
    }
    String::from_utf8_lossy(&said).into_owned()
}

/// Sends an address as it is, which clients with manners do not.
fn raw(house: &House, method: &str, path: &str, body: &str) -> Said {
    let mut stream = house.connect();
    let token = house.admin_token();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
         authorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("it listens");
    let said = answer(&mut stream);
    let (head, body) = said.split_once("\r\n\r\n").expect("a head");
    let status = head[9..12].parse().expect("a status");
    Said::new(status, body.to_owned())
}
