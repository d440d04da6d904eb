//! `judge`: other people's tables in, verdicts out, nothing else changed.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    process::Stdio,
    time::{Duration, Instant},
};

use crate::cli_support::{command, run, run_with};

const REFERENCE: [&str; 3] = ["judge", "--oracle", "reference"];

#[test]
fn input_columns_come_back_byte_for_byte_with_a_verdict_behind_them() {
    let odd = "note,right,left,operation\r\n\
               \"two\r\nlines, one \"\"cell\"\"\",a.b,\"a.*\",match\r\n\
               ,a,a.>,match\n\
               \u{e9} plain,\"a.,b\",\"a.,*\",match\n\
               x,a.b,a.\\x2a,match";
    let ran = run_with(REFERENCE, odd.as_bytes()).exits(0);
    let judged = "note,right,left,operation,verdict\r\n\
                  \"two\r\nlines, one \"\"cell\"\"\",a.b,\"a.*\",match,true\r\n\
                  ,a,a.>,match,false\n\
                  \u{e9} plain,\"a.,b\",\"a.,*\",match,false\n\
                  x,a.b,a.\\x2a,match,true\n";
    assert_eq!(ran.stdout, judged);
    assert_eq!(ran.stderr, "");
}

#[test]
fn every_operation_is_answered() {
    let table = "operation,left,right\n\
                 match,a.*,a.b\n\
                 match,a.*,a.b.c\n\
                 match,,\n\
                 match,*,*\n\
                 valid-pattern,a.*,\n\
                 valid-pattern,a..b,\n\
                 valid-pattern,a.**,\n\
                 valid-subject,a.b,\n\
                 valid-subject,a.*,\n\
                 valid-subject,a\\x20b,not \\read\n\
                 subset,a.*,a.>\n\
                 subset,a.>,a.*\n\
                 overlap,a.*,*.b\n\
                 overlap,a.*,b.*\n";
    let verdicts = |args: &[&str]| -> Vec<String> {
        let ran = run_with(args, table.as_bytes()).exits(0);
        ran.stdout.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().to_owned()).collect()
    };
    let mut expected = [
        "true", "false", "false", "true", "true", "false", "true", "true", "false", "false", "true", "false", "true",
        "false",
    ];
    assert_eq!(verdicts(&REFERENCE), expected);
    expected[6] = "false";
    assert_eq!(verdicts(&["judge", "--strict", "--oracle", "reference"]), expected);
}

#[test]
fn what_is_wrong_with_the_input_is_told_with_its_line() {
    for (table, words) in [
        ("", "line 1: a header"),
        ("left,right\na,b\n", "line 1: the header has no column `operation`"),
        ("operation,left,right,left\n", "line 1: the header names `left` twice"),
        ("operation,left,right\nmatch,a,b\nglob,a,b\n", "line 3: unknown operation `glob`"),
        ("operation,left,right\nmatch,a\n", "line 2: too few fields: 2, the header has 3"),
        ("operation,left,right\nmatch,a,b,c\n", "line 2: too many fields: 4, the header has 3"),
        ("operation,left,right\n\nmatch,a,b\n", "line 2: a blank line"),
        ("operation,left,right\n\"match\",a,\"\n\"\nmatch,a\\xg1,b\n", "line 4: column `left`: `\\` at character 2"),
        ("operation,left,right\nmatch,\"a,b\n", "line 2: a quoted field is never closed"),
        ("operation,left,right\nmatch,\"a\"b,c\n", "line 2: something stands after a closing quote"),
    ] {
        let ran = run_with(REFERENCE, table.as_bytes()).exits(2);
        assert!(ran.stderr.contains(words), "{table:?} says {:?}", ran.stderr);
    }
}

#[test]
fn rows_before_a_broken_line_are_answered() {
    let ran = run_with(REFERENCE, b"operation,left,right\nmatch,a,a\nmatch,a\n").exits(2);
    assert_eq!(ran.stdout, "operation,left,right,verdict\nmatch,a,a,true\n");
}

#[test]
fn a_byte_order_mark_and_blank_lines_at_the_end_are_no_error() {
    let ran = run_with(REFERENCE, b"\xef\xbb\xbfoperation,left,right\nmatch,a,a\n\r\n\n").exits(0);
    assert_eq!(ran.stdout, "\u{feff}operation,left,right,verdict\nmatch,a,a,true\n");
}

#[test]
fn operands_may_be_bytes_that_are_no_text() {
    let dir = tempfile::tempdir().unwrap();
    let child = command(dir.path(), REFERENCE).spawn().unwrap();
    let ran = crate::cli_support::finish(child, b"operation,left,right\nmatch,a.\xff,a.\\xff\n", dir).exits(0);
    assert!(ran.stdout.ends_with(",true\n"), "{}", ran.stdout);
}

#[test]
fn one_oracle_and_a_known_one_is_required() {
    for args in [
        &["judge"][..],
        &["judge", "--oracle", "reference", "--oracle", "naive"],
        &["judge", "--oracle", "oracle-of-delphi"],
        &["judge", "--oracle", "reference", "--dialect", "klingon"],
    ] {
        run(args).exits(2);
    }
}

#[test]
fn a_full_disk_under_stdout_is_exit_74() {
    let dir = tempfile::tempdir().unwrap();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let child = command(dir.path(), REFERENCE).stdout(full).spawn().unwrap();
    let ran = crate::cli_support::finish(child, b"operation,left,right\nmatch,a,a\n", dir).exits(74);
    assert!(ran.stderr.contains("cannot write standard output"), "{}", ran.stderr);
}

#[test]
fn a_reader_that_goes_away_is_exit_74() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = command(dir.path(), REFERENCE).spawn().unwrap();
    drop(child.stdout.take());
    crate::cli_support::finish(child, b"operation,left,right\nmatch,a,a\n", dir).exits(74);
}

#[test]
fn whoever_waits_for_a_verdict_before_the_next_question_gets_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = command(dir.path(), REFERENCE).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |question: &str| {
        stdin.write_all(question.as_bytes()).unwrap();
        answers.next().unwrap().unwrap()
    };
    assert_eq!(ask("operation,left,right\n"), "operation,left,right,verdict");
    assert_eq!(ask("match,a,a\n"), "match,a,a,true");
    assert_eq!(ask("match,a,b\n"), "match,a,b,false");
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_table_larger_than_memory_would_like_is_streamed() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = command(dir.path(), REFERENCE).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let rows = 200_000;
    let feeder = std::thread::spawn(move || {
        stdin.write_all(b"operation,left,right,note\n").unwrap();
        let row = format!("match,a.*,a.b,{}\n", "x".repeat(200));
        for _ in 0..rows {
            stdin.write_all(row.as_bytes()).unwrap();
        }
    });
    let mut out = Vec::new();
    let mut peak = 0;
    let mut stdout = child.stdout.take().unwrap();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let length = stdout.read(&mut buffer).unwrap();
        if length == 0 {
            break;
        }
        out.extend_from_slice(&buffer[..length]);
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let rss =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map(|kb| kb.trim().trim_end_matches(" kB"));
        peak = peak.max(rss.and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0));
    }
    feeder.join().unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(out.iter().filter(|byte| **byte == b'\n').count(), rows + 1);
    assert!(peak > 0 && peak < 40_000, "{peak} kB for a table of {} kB", out.len() / 1000);
}

#[test]
fn ctrl_c_ends_it_while_it_waits_for_input() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = command(dir.path(), REFERENCE).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"operation,left,right\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    crate::cli_support::signal(&child, libc::SIGINT);
    let start = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(start.elapsed() < Duration::from_secs(5));
}
