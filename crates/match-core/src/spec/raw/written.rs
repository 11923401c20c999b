//! A resolved contest written down with the keys of the TOML file, nothing left to a default.
//!
//! It is how a journal keeps the settings of its contest: what is read back resolves to the same
//! [`Spec`], also by a program whose defaults have changed; and two contests can be compared key by
//! key in the words in which people wrote them.
//!
//! Where the journal itself lies is not among the settings: a contest may be carried elsewhere.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use stats::Rule;

use crate::adjudication::{Adjudication, Draw, Resign, Syzygy};
use crate::limits::{Limits, TimeControl};
use crate::spec::raw::sprt::BoundShape;
use crate::spec::raw::{RawSpec, value};
use crate::spec::{
    BookSource, Concurrency, EngineCommand, EngineSpec, HostSpec, OpeningsSpec, OutputSpec,
    Patience, PgnOutput, PlacementSpec, Sandbox, Spec, SpecError, SprtSpec,
};

/// All settings of a contest. Serialized, it is what [`RawSpec::from_json`] reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written(Node);

/// A key whose values differ in two contests. Displayed as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Such as `engine.2.options.Hash`; items of lists are counted from 1.
    pub key: String,
    /// The value in the one; nothing if it has none.
    pub before: Option<String>,
    /// The value in the other.
    pub after: Option<String>,
}

/// A value: every setting can be read from a text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Text(String),
    List(Vec<Node>),
    /// In the order in which they are to be read: that of UCI options means something.
    Table(Vec<(String, Node)>),
}

impl Written {
    /// What would have to be written for `spec`.
    pub fn new(spec: &Spec) -> Self {
        let Spec {
            event,
            site,
            engines,
            tournament,
            pairs,
            // What a fleet lends is remembered there.
            share: _,
            seed,
            variant,
            openings,
            adjudication,
            flag_policy,
            sprt,
            max_faults,
            concurrency,
            patience,
            placement: PlacementSpec { cpus, pin },
            host: HostSpec { blame, max_voids },
            output,
        } = spec;
        let mut table = Table::default();
        table.add("event", event);
        table.add("site", site);
        table.add("tournament", value::name_of(*tournament));
        // Left out, it stands for "until the test decides".
        table.add_some("pairs", Some(pairs).filter(|_| !spec.is_open_ended()));
        table.add("seed", seed);
        table.add("variant", value::name_of(*variant));
        table.add("concurrency", concurrency);
        table.add_some("cpus", cpus.as_ref());
        table.add("pin", pin);
        table.add("host-blame", blame);
        table.add("max-voids", max_voids);
        table.add("flag-policy", value::name_of(*flag_policy));
        table.add_some("max-faults", *max_faults);
        table.0.push((
            "engine".to_owned(),
            Node::List(engines.iter().map(engine).collect()),
        ));
        table.nest("openings", openings_table(openings));
        if let Some(sprt) = sprt {
            table.nest("sprt", sprt_table(sprt));
        }
        table.nest("adjudication", adjudication_table(adjudication));
        table.nest("patience", patience_table(patience));
        table.nest("output", output_table(output));
        Self(Node::Table(table.0))
    }

    /// The keys whose values differ, in the order in which they are written.
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let (before, after) = (self.leaves(), other.leaves());
        let value = |leaves: &[(String, String)], key: &str| {
            let found = leaves.iter().find(|(other, _)| other == key);
            found.map(|(_, value)| value.clone())
        };
        let added = after
            .iter()
            .filter(|(key, _)| value(&before, key).is_none());
        let mut differences: Vec<Difference> = (before.iter().chain(added))
            .map(|(key, _)| Difference {
                key: key.clone(),
                before: value(&before, key),
                after: value(&after, key),
            })
            .filter(|difference| difference.before != difference.after)
            .collect();
        if differences.is_empty() && self != other {
            // The same options, set in another order.
            differences.push(Difference {
                key: "order of options".to_owned(),
                before: None,
                after: None,
            });
        }
        differences
    }

    fn leaves(&self) -> Vec<(String, String)> {
        let mut leaves = Vec::new();
        gather(&self.0, String::new(), &mut leaves);
        leaves
    }
}

impl RawSpec {
    /// Reads what [`Written`] has been serialized to, or anything else with the keys of the TOML
    /// file.
    ///
    /// # Errors
    ///
    /// [`SpecError::Written`] for unknown keys and values that are not allowed.
    pub fn from_json(text: &str) -> Result<Self, SpecError> {
        serde_json::from_str(text).map_err(|error| SpecError::Written {
            message: error.to_string(),
        })
    }
}

impl Difference {
    /// Whether it makes no other contest: how many games run at a time and on which CPUs, how long one
    /// waits for engines that do not play, and when one gives up, are no part of the question.
    pub fn is_free(&self) -> bool {
        const FREE: [&str; 5] = ["concurrency", "cpus", "pin", "max-faults", "max-voids"];
        FREE.contains(&self.key.as_str()) || self.key.starts_with("patience.")
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, before, after } = self;
        let shown = |value: &Option<String>| match value {
            Some(value) => format!("`{value}`"),
            None => "not set".to_owned(),
        };
        if before == after {
            return write!(f, "another {key}");
        }
        write!(f, "{key} was {} and is {}", shown(before), shown(after))
    }
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Table(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

fn gather(node: &Node, key: String, leaves: &mut Vec<(String, String)>) {
    let below = |name: &str| match key.as_str() {
        "" => name.to_owned(),
        key => format!("{key}.{name}"),
    };
    match node {
        Node::Text(text) => leaves.push((key, text.clone())),
        Node::List(items) => {
            for (i, item) in items.iter().enumerate() {
                gather(item, below(&(i + 1).to_string()), leaves);
            }
        }
        Node::Table(entries) => {
            for (name, value) in entries {
                gather(value, below(name), leaves);
            }
        }
    }
}

/// A section under construction.
#[derive(Default)]
struct Table(Vec<(String, Node)>);

impl Table {
    fn add(&mut self, key: &str, value: impl ToString) {
        self.0.push((key.to_owned(), Node::Text(value.to_string())));
    }

    fn add_some(&mut self, key: &str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }

    /// Paths came from text: what was not UTF-8 has been refused.
    fn add_path(&mut self, key: &str, path: Option<&Path>) {
        self.add_some(key, path.map(Path::display));
    }

    fn add_list(&mut self, key: &str, items: impl IntoIterator<Item = impl ToString>) {
        let texts = items.into_iter().map(|item| Node::Text(item.to_string()));
        let list = Node::List(texts.collect());
        self.0.push((key.to_owned(), list));
    }

    /// A section is written only if there is anything in it.
    fn nest(&mut self, key: &str, table: Self) {
        if !table.0.is_empty() {
            self.0.push((key.to_owned(), Node::Table(table.0)));
        }
    }

    fn of_pairs(pairs: &[(String, String)]) -> Self {
        let mut table = Self::default();
        for (name, value) in pairs {
            table.add(name, value);
        }
        table
    }
}

fn engine(spec: &EngineSpec) -> Node {
    let EngineSpec {
        name,
        command,
        options,
        limits,
        restart,
        sandbox,
    } = spec;
    let mut table = Table::default();
    table.add("name", name);
    match command {
        EngineCommand::Program {
            program,
            args,
            dir,
            env,
        } => {
            table.add_path("cmd", Some(program));
            table.add_list("args", args);
            table.add_path("dir", dir.as_deref());
            table.nest("env", Table::of_pairs(env));
        }
        EngineCommand::Sparring { args } => {
            table.add("cmd", "sparring");
            table.add_list("args", args);
        }
    }
    table.nest("options", Table::of_pairs(options));
    table.add("restart", restart);
    let Limits {
        clock,
        move_time,
        nodes,
        depth,
        margin,
    } = limits;
    table.add(
        "tc",
        clock
            .as_ref()
            .map_or("inf".to_owned(), TimeControl::to_string),
    );
    table.add_some("st", move_time.map(seconds));
    table.add_some("nodes", *nodes);
    table.add_some("depth", *depth);
    table.add("timemargin", seconds(*margin));
    match sandbox {
        Some(sandbox) => table.nest("sandbox", sandbox_table(sandbox)),
        None => table.add("sandbox", "off"),
    }
    Node::Table(table.0)
}

fn sandbox_table(spec: &Sandbox) -> Table {
    let Sandbox {
        memory,
        files,
        processes,
        read,
        write,
        stranger: _,
    } = spec;
    let mut table = Table::default();
    // No size that is read has a smaller unit.
    table.add("memory", format!("{}KiB", memory.get() / 1024));
    table.add("files", files);
    table.add("processes", processes);
    table.add_list("read", read.iter().map(|path| path.display()));
    table.add_list("write", write.iter().map(|path| path.display()));
    table
}

fn openings_table(spec: &OpeningsSpec) -> Table {
    let OpeningsSpec {
        source,
        order,
        start,
    } = spec;
    let mut table = Table::default();
    match source {
        BookSource::File {
            path,
            format,
            plies,
        } => {
            table.add_path("file", Some(path));
            table.add("format", value::name_of(*format));
            table.add_some("plies", *plies);
        }
        BookSource::Embedded => {}
    }
    table.add("order", value::name_of(*order));
    table.add("start", start);
    table
}

fn sprt_table(spec: &SprtSpec) -> Table {
    let SprtSpec {
        hypotheses,
        rates,
        rule,
    } = spec;
    let mut table = Table::default();
    table.add("elo0", hypotheses.elo0());
    table.add("elo1", hypotheses.elo1());
    table.add("alpha", rates.alpha());
    table.add("beta", rates.beta());
    table.add("model", value::name_of(hypotheses.model()));
    match rule {
        Rule::Wald => table.add("rule", value::name_of(BoundShape::Wald)),
        Rule::Curved(preset) => {
            table.add("rule", value::name_of(BoundShape::Curved));
            table.add("preset", value::name_of(*preset));
        }
    }
    table
}

fn adjudication_table(spec: &Adjudication) -> Table {
    let Adjudication {
        resign,
        draw,
        max_moves,
        syzygy,
    } = spec;
    let mut table = Table::default();
    if let Some(Resign {
        count,
        score,
        two_sided,
    }) = resign
    {
        let mut section = Table::default();
        section.add("count", count);
        section.add("score", score);
        section.add("twosided", two_sided);
        table.nest("resign", section);
    }
    if let Some(Draw {
        after_move,
        count,
        score,
    }) = draw
    {
        let mut section = Table::default();
        section.add("move", after_move);
        section.add("count", count);
        section.add("score", score);
        table.nest("draw", section);
    }
    table.add_some("max-moves", *max_moves);
    if let Some(Syzygy {
        paths,
        pieces,
        fifty_move_rule,
        rulings,
    }) = syzygy
    {
        let mut section = Table::default();
        section.add_list("paths", paths.iter().map(|path| path.display()));
        section.add("pieces", pieces);
        section.add("ignore-50-move-rule", !fifty_move_rule);
        section.add("rulings", value::name_of(*rulings));
        table.nest("syzygy", section);
    }
    table
}

fn patience_table(spec: &Patience) -> Table {
    let Patience {
        startup,
        ping,
        watchdog,
        settle,
        quit,
        start_failures,
    } = spec;
    let mut table = Table::default();
    table.add("startup", seconds(*startup));
    table.add("ping", seconds(*ping));
    table.add("watchdog", seconds(*watchdog));
    table.add("settle", seconds(*settle));
    table.add("quit", seconds(*quit));
    table.add("start-failures", start_failures);
    table
}

fn output_table(spec: &OutputSpec) -> Table {
    let OutputSpec {
        pgn,
        events,
        summary,
        faults,
        journal: _,
    } = spec;
    let mut table = Table::default();
    if let Some(PgnOutput {
        path,
        nodes,
        nps,
        seldepth,
        hashfull,
        time_left,
        pv,
    }) = pgn
    {
        let mut section = Table::default();
        section.add_path("file", Some(path));
        section.add("nodes", nodes);
        section.add("nps", nps);
        section.add("seldepth", seldepth);
        section.add("hashfull", hashfull);
        section.add("timeleft", time_left);
        section.add("pv", pv);
        table.nest("pgn", section);
    }
    table.add_path("events", events.as_deref());
    table.add_path("summary", summary.as_deref());
    // Left out, it would be beside the PGN.
    table.add_path(
        "faults",
        Some(faults.as_deref().unwrap_or(Path::new("off"))),
    );
    table
}

/// With its unit, which is one and the same whatever bare numbers would mean, and to the nanosecond.
fn seconds(span: Duration) -> String {
    let decimals = format!("{:09}", span.subsec_nanos());
    match decimals.trim_end_matches('0') {
        "" => format!("{}s", span.as_secs()),
        decimals => format!("{}.{decimals}s", span.as_secs()),
    }
}

impl fmt::Display for Concurrency {
    /// As it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Slots(slots) => slots.fmt(f),
        }
    }
}
