// An adapter to copy: put your own matcher into matches, name it in hello, and ask
//
//	go build -o matcher matcher.go && wildcheck run --oracle 'exec:./matcher'
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
)

var hello = map[string]any{"protocol": 1, "impl": "my-matcher", "version": "1.0", "dialect": "nats",
	"entry": "matches", "can": []string{"grid"}}

// matches says '1' or '0', or 'p' for a pattern that is refused.
func matches(pattern, subject string) byte {
	patterns, subjects := strings.Split(pattern, "."), strings.Split(subject, ".")
	if slices.Contains(patterns, "") || slices.Contains(patterns[:len(patterns)-1], ">") {
		return 'p'
	}
	if slices.Contains(subjects, "") {
		return '0'
	}
	for index, token := range patterns {
		if token == ">" && len(subjects) > index {
			return '1'
		}
		if index >= len(subjects) || (token != "*" && token != subjects[index]) {
			return '0'
		}
	}
	if len(patterns) != len(subjects) {
		return '0'
	}
	return '1'
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var ask struct {
			Op                 string
			Seq                uint64
			Patterns, Subjects []string
		}
		err = json.Unmarshal(line, &ask)
		switch {
		case err == nil && ask.Op == "stop":
			return
		case err == nil && ask.Op == "hello":
			answers.Encode(hello)
		case err == nil && ask.Op == "grid":
			rows := make([]string, len(ask.Patterns))
			for i, pattern := range ask.Patterns {
				row := make([]byte, len(ask.Subjects))
				for j, subject := range ask.Subjects {
					row[j] = matches(pattern, subject)
				}
				rows[i] = string(row)
			}
			answers.Encode(map[string]any{"seq": ask.Seq, "rows": rows})
		default:
			answers.Encode(map[string]any{"seq": ask.Seq, "error": "unknown operation"})
		}
	}
}
