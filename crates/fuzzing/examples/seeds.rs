//! Writes the seeds to where cargo-fuzz looks for them: `cargo run -p fuzzing --example seeds`.

use std::fs;
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for target in fuzzing::TARGETS {
        let folder = corpus.join(target.name);
        fs::create_dir_all(&folder)?;
        for (number, seed) in target.seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
