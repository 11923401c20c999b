//! A coordinator that has one answer for each address, and remembers what it was asked.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

/// Its address is in the login file of the bench; it is there as long as the test's process.
#[derive(Clone)]
pub(crate) struct Canned {
    pub(crate) address: String,
    known: Arc<Mutex<Known>>,
}

#[derive(Default)]
pub(crate) struct Known {
    /// By `METHOD /path`; the last answer stays.
    answers: BTreeMap<String, Vec<(u16, String)>>,
    pub(crate) asked: Vec<Asked>,
}

pub(crate) struct Asked {
    pub(crate) line: String,
    pub(crate) authorization: String,
    pub(crate) body: String,
}

impl Canned {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let canned = Self {
            address: format!("http://{}", listener.local_addr().unwrap()),
            known: Arc::default(),
        };
        let serving = canned.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let serving = serving.clone();
                thread::spawn(move || serving.serve(stream.unwrap()));
            }
        });
        canned
    }

    /// The next answer to `line`; the last one is given again and again.
    pub(crate) fn with(self, line: &str, status: u16, body: &str) -> Self {
        let answer = (status, body.to_owned());
        let mut known = self.known();
        let answers = known.answers.entry(line.to_owned());
        answers.or_default().push(answer);
        drop(known);
        self
    }

    pub(crate) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap()
    }

    /// Bodies of what was asked by `line`.
    pub(crate) fn bodies(&self, line: &str) -> Vec<String> {
        let known = self.known();
        let asked = known.asked.iter().filter(|asked| asked.line == line);
        asked.map(|asked| asked.body.clone()).collect()
    }

    fn serve(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        while let Some(asked) = read(&mut reader) {
            let (status, body) = self.answer(&asked.line);
            let is_head = asked.line.starts_with("HEAD");
            self.known().asked.push(asked);
            let length = body.len();
            let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n\r\n");
            let body = if is_head { "" } else { &body };
            let mut stream = &stream;
            if stream.write_all((head + body).as_bytes()).is_err() {
                return;
            }
        }
    }

    fn answer(&self, line: &str) -> (u16, String) {
        match self.known().answers.get_mut(line) {
            Some(answers) if answers.len() > 1 => answers.remove(0),
            Some(answers) => answers[0].clone(),
            None => {
                let body = r#"{"code": "not_found", "message": "there is no such thing"}"#;
                (404, body.to_owned())
            }
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<Asked> {
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let line = words[..2].join(" ");
    let (mut length, mut authorization) = (0, String::new());
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim().split_once(':') else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().ok()?,
            "authorization" => authorization = value.trim().to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked {
        line,
        authorization,
        body: String::from_utf8_lossy(&body).into_owned(),
    })
}
