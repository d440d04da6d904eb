//! What a person is told about a broken table: file, line, column, what was found and what was expected.

use wildcheck_tables::{Problem, Tables, TablesError, parse_bytes, review};

const HEADER: &str = "pattern,subject,expected,server,naive,clause,source,since,until,note\n";

/// The problems of one `nats/match.csv`, one a line, without those of files that are missing beside it.
fn told(body: impl AsRef<[u8]>) -> String {
    told_of("nats/match.csv", [HEADER.as_bytes(), body.as_ref()].concat())
}

fn told_of(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let problems = parse_bytes(name, bytes.as_ref());
    let lines: Vec<String> = problems.iter().filter(|p| p.text != "is missing").map(Problem::to_string).collect();
    lines.join("\n")
}

/// The problems of a whole set of tables in which these files stand in place of the clean ones.
fn told_with(replaced: &[(&str, &str)]) -> String {
    let mut files = Tables::embedded().expect("clean tables").render();
    files.retain(|name, _| !name.contains('/') || name.starts_with("nats/"));
    files.retain(|name, _| !name.contains("observed"));
    files.insert("causes.csv".into(), b"code,name,statement,dialect,direction\nWC001,one,One.,nats,both\n".to_vec());
    files.insert("baseline.csv".into(), b"dialect,oracle,lane,cause,since,until,reason\n".to_vec());
    for (name, bytes) in replaced {
        files.insert((*name).to_owned(), bytes.as_bytes().to_vec());
    }
    match Tables::from_files(files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))) {
        Ok(_) => String::new(),
        Err(TablesError::Lint(lint)) => lint.to_string(),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_cell_that_is_not_understood_is_told_with_its_column_and_all_of_them_are() {
    insta::assert_snapshot!(told(
        "a,b,maybe,true,,nats-star,hand,,,\n\
         a\\xq0,,true,True,no,nats star,,v2,2.1.0-rc1,\n\
         b,b,true,,,nats-star,hand,,,\n"
    ), @r#"
    nats/match.csv:2: column expected: found "maybe", expected true or false
    nats/match.csv:3: column pattern: found "a\xq0", expected an operand: `\` at character 2 does not start `\xNN` with two hexadecimal digits
    nats/match.csv:3: column subject: found "", expected an operand; the empty one is written ''
    nats/match.csv:3: column server: found "True", expected true, false or nothing
    nats/match.csv:3: column naive: found "no", expected true, false or nothing
    nats/match.csv:3: column clause: found "nats star", expected a clause id
    nats/match.csv:3: column source: found "", expected where the row comes from
    nats/match.csv:3: column since: found "v2", expected nothing or a version such as 2.9.10
    nats/match.csv:3: column until: found "2.1.0-rc1", expected nothing or a version such as 2.9.10
    "#);
}

#[test]
fn too_few_and_too_many_fields_and_an_open_quote_are_told_by_line() {
    insta::assert_snapshot!(told(
        "a,b,true\n\
         a,b,true,,,nats-star,hand,,,,\n\
         a,c,true,,,nats-star,hand,,,\"open\n\
         b,b,true,,,nats-star,hand,,,\n"
    ), @r"
    nats/match.csv:2: found 3 fields, expected 10
    nats/match.csv:3: found 11 fields, expected 10
    nats/match.csv:4: found a quote that is not closed on its line
    ");
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_column() {
    insta::assert_snapshot!(told(b"a\0b,b,true,,,nats-star,hand,,,\n\
        b,\xff,true,,,nats-star,hand,,,caf\xe9\n\
        c,a\tb,true,,,nats-star,hand,,,\n"), @r#"
    nats/match.csv:2: column pattern: found a raw control byte in "a\x00b", expected it as \xNN
    nats/match.csv:3: column subject: found bytes that are not UTF-8 ("\xff"), expected them as \xNN
    nats/match.csv:3: column note: found bytes that are not UTF-8 ("caf\xe9"), expected them as \xNN
    nats/match.csv:4: column subject: found a raw control byte in "a\x09b", expected it as \xNN
    "#);
}

#[test]
fn the_form_of_the_file_is_told_and_can_be_mended() {
    let bytes = [
        "\u{feff}",
        &HEADER.replace('\n', "\r\n"),
        "b,b,true,,,nats-star,hand,,,\r\n",
        "\n",
        "a,a,true,,,nats-star,hand,,,",
    ];
    let problems = parse_bytes("nats/match.csv", bytes.concat().as_bytes());
    assert!(problems.iter().filter(|p| p.text != "is missing").all(|p| p.mendable));
    insta::assert_snapshot!(told_of("nats/match.csv", bytes.concat()), @r"
    nats/match.csv:1: found a byte order mark, expected none
    nats/match.csv:4: found the end of the file, expected a line feed after the last line
    nats/match.csv:1: found lines that end in CR LF (2), expected LF
    nats/match.csv:3: found an empty line, expected a row
    nats/match.csv:4: found a row that sorts before line 2, expected rows sorted by their key
    ");
}

#[test]
fn a_cell_written_in_another_way_is_told_and_can_be_mended() {
    insta::assert_snapshot!(told("a,é,true,,,nats-star,hand,,,\nb,\\xFF,true,,,nats-star,hand,,,\"quoted\"\n"), @r#"
    nats/match.csv:2: found `a,é,true,,,nats-star,hand,,,`, expected it written `a,\xc3\xa9,true,,,nats-star,hand,,,`
    nats/match.csv:3: found `b,\xFF,true,,,nats-star,hand,,,"quoted"`, expected it written `b,\xff,true,,,nats-star,hand,,,quoted`
    "#);
}

#[test]
fn a_header_is_required_with_the_exact_columns_in_order() {
    let headers =
        ["", "\n", "pattern,subject\n", &HEADER.replace("expected", "Expected"), &HEADER.replace("note", "note,more")];
    let all: Vec<String> = headers.iter().map(|header| told_of("nats/match.csv", header)).collect();
    insta::assert_snapshot!(all.join("\n"), @r#"
    nats/match.csv:1: found nothing, expected the header pattern,subject,expected,server,naive,clause,source,since,until,note
    nats/match.csv:1: found no column pattern, expected it after the others
    nats/match.csv:1: found no column expected, expected it after the others
    nats/match.csv:1: found the column "Expected", expected expected
    nats/match.csv:1: found the column "more", expected no more columns
    "#);
}

#[test]
fn two_rows_with_one_key_are_told() {
    insta::assert_snapshot!(told(
        "a,b,true,,,nats-star,hand,,,\n\
         a,b,false,,,nats-star,hand,,,\n\
         a,\\x62,false,,,nats-star,hand,,,\n"
    ), @r"
    nats/match.csv:3: found a second row with the key of line 2
    nats/match.csv:4: found a second row with the key of line 2
    ");
}

#[test]
fn ids_and_names_that_do_not_exist_are_told() {
    insta::assert_snapshot!(told_with(&[
        ("nats/match.csv", &format!("{HEADER}a,b,true,true,,nats-start,guess,2.12.3,2.9.10,\n")),
        ("nats/validation.csv", "operand,text,lane,server,strict,clause,source,since,until,note\n\
            pattern,a,pedantic,,true,nats-star,fuzz,,,\n"),
        ("nats/clauses.csv", "id,statement,status,source\nnats-star,One token.,stated,seed\nstar,One token.,stated,seed\n"),
        ("nats/relations.csv", "relation,left,right,expected,witness,clause,source,note\n"),
        ("causes.csv", "code,name,statement,dialect,direction\nWC001,one,One.,natz,both\nWC002,one,Two.,*,both\n"),
        ("baseline.csv", "dialect,oracle,lane,cause,since,until,reason\n\
            nats,naive,memory,WC009,,,Known.\nnats,naive,wires,WC001,,,Known.\nnuts,naive,wire,WC001,,,Known.\n"),
    ]), @r#"
    baseline.csv:2: column cause: found "WC009", expected a code of causes.csv
    baseline.csv:3: column lane: found "wires", expected a lane of nats: memory, wire, wire-pedantic, client, client-…, subsz, jetstream-…
    baseline.csv:4: column dialect: found "nuts", expected a dialect
    causes.csv:2: column dialect: found "natz", expected dialects separated by blanks, or *
    causes.csv:3: column name: found "one", expected a name that line 2 does not have
    nats/clauses.csv:3: column id: found "star", expected an id that starts with "nats-"
    nats/match.csv:2: column clause: found "nats-start", expected an id of nats/clauses.csv
    nats/match.csv:2: column source: found "guess", expected seed, hand, fuzz SEED or certify SCOPE
    nats/match.csv:2: column until: found "2.9.10", expected a version not before 2.12.3
    nats/validation.csv:2: column lane: found "pedantic", expected a lane of nats: memory, wire, wire-pedantic, client, client-…, subsz, jetstream-…
    nats/validation.csv:2: column source: found "fuzz", expected seed, hand, fuzz SEED or certify SCOPE
    "#);
}

#[test]
fn ranges_of_one_question_must_not_overlap() {
    let rows = "a.a,b,true,true,,nats-star,hand,,2.9.10,\n\
        a.a,b,true,false,,nats-star,hand,2.9.10,2.10.0,\n\
        a.a,b,true,true,,nats-star,hand,2.10.1,,\n\
        a.a,b,true,true,,nats-star,hand,2.12.0,,\n";
    insta::assert_snapshot!(told_with(&[("nats/match.csv", &format!("{HEADER}{rows}"))]), @r#"
    nats/match.csv:3: column since: found "2.9.10", expected a version after the range of line 2
    nats/match.csv:5: column since: found "2.12.0", expected a version after the range of line 4
    "#);
}

#[test]
fn a_broken_clauses_table_does_not_make_every_row_dangle() {
    insta::assert_snapshot!(told_with(&[("nats/clauses.csv", "id,statement,status,source\nnats-star,,stated,seed\n")]), @r#"nats/clauses.csv:2: column statement: found "", expected one sentence"#);
}

#[test]
fn missing_and_unknown_files_and_folders_are_told() {
    let problems = match Tables::from_files([
        ("extra.csv", &b"x\n"[..]),
        ("nats/extra.csv", b"x\n"),
        ("nats/observed/nats-server.csv", b"x\n"),
        ("nuts/clauses.csv", b"id,statement,status,source\n"),
    ]) {
        Err(TablesError::Lint(lint)) => lint.to_string(),
        other => panic!("{other:?}"),
    };
    insta::with_settings!({filters => vec![(r"expected one of flat.*|expected one of [a-z].*nats.*", "expected one of [dialects]")]}, {
        insta::assert_snapshot!(problems, @r"
        baseline.csv: is missing
        causes.csv: is missing
        extra.csv: found a file of no table, expected causes.csv or baseline.csv
        nats/clauses.csv: is missing
        nats/extra.csv: found a file of no table, expected one of match.csv, validation.csv, relations.csv, clauses.csv, claims.csv, observed/SERVER@VERSION.csv
        nats/match.csv: is missing
        nats/observed/nats-server.csv: found a file of no table, expected one of match.csv, validation.csv, relations.csv, clauses.csv, claims.csv, observed/SERVER@VERSION.csv
        nats/relations.csv: is missing
        nats/validation.csv: is missing
        nuts: found a folder of no dialect, expected one of [dialects]
        nuts/match.csv: is missing
        nuts/relations.csv: is missing
        nuts/validation.csv: is missing
        ");
    });
}

#[test]
fn a_recording_that_is_not_understood_is_told() {
    insta::assert_snapshot!(told_of("nats/observed/nats-server@2.15.1.csv", "lane,kind,left,right,observation\n\
        wire,match,a,a,yes\n\
        wire,pattern,a,b,refused\n\
        wire,pattern,c,,refused-delivered\n\
        wire,scope,tokens a,xyz,4 pairs\n\
        wire,thing,a,,\n"), @r#"
    nats/observed/nats-server@2.15.1.csv:2: column observation: found "yes", expected delivered or not-delivered
    nats/observed/nats-server@2.15.1.csv:3: column right: found "b", expected nothing
    nats/observed/nats-server@2.15.1.csv:3: column observation: found "refused", expected accepted, refused-open, refused-closed, refused-client, refused-delivered or inexpressible, then a colon and the words
    nats/observed/nats-server@2.15.1.csv:4: column observation: found "refused-delivered", expected accepted, refused-open, refused-closed, refused-client, refused-delivered or inexpressible, then a colon and the words
    nats/observed/nats-server@2.15.1.csv:5: column observation: found "4 pairs", expected PAIRS pairs, MATCHES matches
    nats/observed/nats-server@2.15.1.csv:6: column kind: found "thing", expected match, pattern, subject, scope or as
    "#);
}

#[test]
fn a_recording_that_leans_on_one_that_is_not_there_is_told() {
    let header = "lane,kind,left,right,observation\n";
    insta::assert_snapshot!(told_with(&[
        ("nats/observed/nats-server@2.14.0.csv", &format!("{header}client,as,2.15.1,,\nwire,as,2.14.0,,\n")),
        ("nats/observed/nats-server@2.15.1.csv", &format!("{header}wire,as,2.16.0,,\n")),
    ]), @r#"
    nats/observed/nats-server@2.14.0.csv:3: column left: found "2.14.0", expected another recorded version of nats-server
    nats/observed/nats-server@2.15.1.csv:2: column left: found "2.16.0", expected another recorded version of nats-server
    "#);
}

#[test]
fn a_row_that_contradicts_the_reference_loads_and_is_a_finding() {
    let mut tables = Tables::embedded().expect("clean tables");
    tables.dialects.retain(|dialect| dialect.name == "nats");
    let nats = tables.dialect_mut("nats").expect("nats");
    nats.matches.retain(|row| row.clause != "nats-case" && row.clause != "nats-length");
    nats.matches[0].expected = true;
    nats.matches[1].naive = Some(false);
    nats.validation[0].strict = true;
    nats.relations.retain(|row| matches!(row.right.to_string().as_str(), "*.b" | ">"));
    let overlap = nats.relations.iter_mut().find(|row| row.expected && row.witness.is_some()).expect("an overlap");
    overlap.witness = Some("c".into());
    let subset = nats.relations.iter_mut().find(|row| !row.expected && row.witness.is_some()).expect("no subset");
    subset.witness = None;
    assert!(tables.lint().is_clean());
    let told: Vec<String> = review(&tables).iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    nats/clauses.csv:3: the clause nats-case lacks a true row and a false row in nats/match.csv
    nats/clauses.csv:7: the clause nats-length lacks a true row and a false row in nats/match.csv
    nats/match.csv:2: column expected: found true, the reference says false of `*` and `''`
    nats/match.csv:3: column naive: found false, the naive approximation says true of `*` and `$a`
    nats/relations.csv:2: column witness: found `c`, which is not in left and in right
    nats/relations.csv:7: column witness: found nothing, expected a subject that shows it
    nats/validation.csv:2: column strict: found true, by the portable rule the pattern `''` is refused: empty [nats-empty]
    ");
}
