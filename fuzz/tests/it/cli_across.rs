//! `translate`, `compare`, `capabilities`: what a person who ports a bus sees. No server is asked.

use crate::cli_support::run;

fn said(from: &str, to: &str, pattern: &str, code: i32) -> String {
    let ran = run(["translate", "--from", from, "--to", to, pattern]).exits(code);
    format!("{}{}", ran.stdout, ran.stderr)
}

#[test]
fn what_translate_says() {
    let mut text = String::new();
    for (from, to, pattern, code) in [
        ("nats", "rabbitmq", "a.*.>", 0),
        ("rabbitmq", "nats", "x.#", 0),
        ("nats", "mqtt", "*.a", 1),
        ("rabbitmq", "nats", "#.x", 4),
        ("nats", "flat", "orders.*", 4),
        ("nats", "rabbitmq", "a..b", 2),
        ("nats", "klingon", "a", 2),
    ] {
        text.push_str(&format!("$ translate --from {from} --to {to} {pattern}\n{}\n", said(from, to, pattern, code)));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn what_compare_says_of_a_tail() {
    insta::assert_snapshot!(run(["compare", "orders.*.>", "--dialects", "all"]).exits(0).stdout);
}

#[test]
fn what_compare_says_of_the_subjects_that_are_given() {
    let args =
        ["compare", "a/#", "--dialect", "mqtt", "--dialects", "mqtt,nats", "--subject", "a", "--subject", "a/b.c"];
    insta::assert_snapshot!(run(args).exits(0).stdout);
}

#[test]
fn compare_refuses_what_its_dialect_refuses() {
    let ran = run(["compare", "a+", "--dialect", "mqtt"]).exits(2);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("mqtt-plus-alone"), "{}", ran.stderr);
    assert!(run(["compare", "a", "--dialects", "nats,klingon"]).exits(2).stderr.contains("klingon"));
}

#[test]
fn what_capabilities_says() {
    insta::assert_snapshot!(run(["capabilities"]).exits(0).stdout);
}
