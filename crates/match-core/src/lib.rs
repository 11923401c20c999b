//! A contest of engines as pure machines: clocks, limits, games, adjudication, schedule, ledger, events.
