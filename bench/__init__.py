"""Speed, measured: each module bench_<name> measures one thing against a floor taken in the same run."""
