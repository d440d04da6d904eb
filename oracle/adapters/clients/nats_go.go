// Runs the probe on stdin through nats.go, as its users use it, and tells on stdout what was seen.
//
// One JSON object in (url, steps), one out (library, arrived, conns, transcript; or unsupported, lost). Must never write
// a byte past the library, and never take a passing of time for "it did not arrive": Flush is the fence, what was sent
// before its PONG has been handed to the subscriptions.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

const patience = 20 * time.Second

type step struct {
	Do, Conn, Pattern, Subject, ID string
	Queue, Reply                   *string
	Headers                        [][2]string
	Size, Times                    int
	Verbose, Pedantic              bool
}

type arrived struct {
	Subject string   `json:"subject"`
	Reply   *string  `json:"reply"`
	Headers []string `json:"headers"`
	Status  *int     `json:"status"`
	Size    int      `json:"size"`
}

type conn struct {
	Closed   bool     `json:"closed"`
	Errors   []string `json:"errors"`
	Refusals []string `json:"refusals"`
}

type subscription struct {
	conn    string
	sub     *nats.Subscription
	handled *int64
}

type run struct {
	sync.Mutex
	url        string
	links      map[string]*nats.Conn
	told       map[string]*conn
	subs       map[string]subscription
	arrived    map[string][]arrived
	transcript []string
}

type unsupported string

func (why unsupported) Error() string { return string(why) }

func (r *run) note(conn, format string, words ...any) {
	r.Lock()
	defer r.Unlock()
	r.transcript = append(r.transcript, conn+" . "+fmt.Sprintf(format, words...))
}

// What the library returns as an error before the server could answer is its refusal.
func (r *run) returned(conn, what string, err error) {
	if err == nil {
		r.note(conn, "%s returned", what)
		return
	}
	r.note(conn, "%s returned %q", what, err)
	r.Lock()
	defer r.Unlock()
	r.told[conn].Refusals = append(r.told[conn].Refusals, err.Error())
}

func (r *run) connect(s step) error {
	told := &conn{Errors: []string{}, Refusals: []string{}}
	r.told[s.Conn] = told
	hear := func(err error) {
		r.Lock()
		defer r.Unlock()
		if err != nil {
			told.Errors = append(told.Errors, err.Error())
		}
	}
	// Reconnected it would be a new client: what comes then says nothing about the old one.
	link, err := nats.Connect(r.url, nats.NoReconnect(), nats.Timeout(patience),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { hear(err) }),
		nats.ClosedHandler(func(link *nats.Conn) {
			hear(link.LastError())
			r.Lock()
			defer r.Unlock()
			told.Closed = true
		}),
		func(o *nats.Options) error { o.Verbose, o.Pedantic = s.Verbose, s.Pedantic; return nil })
	if err != nil {
		return err
	}
	r.links[s.Conn] = link
	r.note(s.Conn, "Connect() returned")
	return nil
}

func (r *run) do(s step) error {
	link := r.links[s.Conn]
	switch s.Do {
	case "connect":
		return r.connect(s)
	case "sub":
		var sub *nats.Subscription
		var err error
		handled := new(int64)
		take := func(message *nats.Msg) {
			r.note(s.ID, "message on %q, %d bytes", message.Subject, len(message.Data))
			r.Lock()
			defer r.Unlock()
			r.arrived[s.ID] = append(r.arrived[s.ID], told(message))
			*handled++
		}
		if s.Queue == nil {
			sub, err = link.Subscribe(s.Pattern, take)
		} else {
			sub, err = link.QueueSubscribe(s.Pattern, *s.Queue, take)
		}
		r.returned(s.Conn, fmt.Sprintf("Subscribe(%q)", s.Pattern), err)
		if err == nil {
			if err := sub.SetPendingLimits(-1, -1); err != nil {
				return err
			}
			r.subs[s.ID] = subscription{s.Conn, sub, handled}
		}
		return r.settle(s.Conn)
	case "unsub":
		if err := r.settle(s.Conn); err != nil {
			return err
		}
		if sub, ok := r.subs[s.ID]; ok {
			delete(r.subs, s.ID)
			r.returned(s.Conn, "Unsubscribe("+s.ID+")", sub.sub.Unsubscribe())
		}
		return r.settle(s.Conn)
	case "pub":
		message := &nats.Msg{Subject: s.Subject, Data: make([]byte, s.Size)}
		if s.Reply != nil {
			message.Reply = *s.Reply
		}
		if len(s.Headers) > 0 {
			message.Header = nats.Header{}
		}
		for _, header := range s.Headers {
			message.Header[header[0]] = append(message.Header[header[0]], header[1])
		}
		for i := 0; i < s.Times; i++ {
			r.returned(s.Conn, fmt.Sprintf("PublishMsg(%q, %d bytes)", s.Subject, s.Size), link.PublishMsg(message))
		}
		return r.settle(s.Conn)
	case "request":
		message, err := link.Request(s.Subject, nil, patience)
		if errors.Is(err, nats.ErrNoResponders) {
			status := 503
			r.note(s.Conn, "Request(%q) returned %q", s.Subject, err)
			r.arrived[s.ID] = append(r.arrived[s.ID], arrived{Headers: []string{}, Status: &status})
		} else if err != nil {
			r.returned(s.Conn, fmt.Sprintf("Request(%q)", s.Subject), err)
		} else {
			r.note(s.Conn, "Request(%q) returned", s.Subject)
			r.arrived[s.ID] = append(r.arrived[s.ID], told(message))
		}
		return nil
	case "close":
		if err := r.settle(s.Conn); err != nil {
			return err
		}
		for id, sub := range r.subs {
			if sub.conn == s.Conn {
				delete(r.subs, id)
			}
		}
		before := *r.told[s.Conn]
		link.Close()
		delete(r.links, s.Conn)
		r.told[s.Conn] = &before
		return nil
	case "fence":
		return r.fence()
	}
	return unsupported("a client library sends no raw bytes")
}

// A fence on one connection, and every message that came before it handled.
func (r *run) settle(name string) error {
	link, ok := r.links[name]
	if !ok || link.IsClosed() {
		return nil
	}
	if err := link.FlushTimeout(patience); err != nil && !link.IsClosed() {
		return err
	}
	for _, sub := range r.subs {
		for sub.conn == name && !link.IsClosed() && r.waiting(sub) {
			time.Sleep(20 * time.Microsecond)
		}
	}
	// Errors are told by a goroutine of their own, and so is the end of the connection.
	time.Sleep(5 * time.Millisecond)
	for link.IsClosed() && !r.over(name) {
		time.Sleep(time.Millisecond)
	}
	return nil
}

func (r *run) over(name string) bool {
	r.Lock()
	defer r.Unlock()
	return r.told[name].Closed
}

// A message counts as delivered before its handler has run.
func (r *run) waiting(sub subscription) bool {
	pending, _, err := sub.sub.Pending()
	if err != nil {
		return false
	}
	delivered, err := sub.sub.Delivered()
	r.Lock()
	defer r.Unlock()
	return err == nil && (pending > 0 || delivered > *sub.handled)
}

func (r *run) fence() error {
	for i := 0; i < 2; i++ {
		for name := range r.links {
			if err := r.settle(name); err != nil {
				return err
			}
		}
	}
	return nil
}

func told(message *nats.Msg) arrived {
	headers := []string{}
	for name, values := range message.Header {
		for _, value := range values {
			headers = append(headers, name+": "+value)
		}
	}
	var reply *string
	if message.Reply != "" {
		reply = &message.Reply
	}
	return arrived{Subject: message.Subject, Reply: reply, Headers: headers, Size: len(message.Data)}
}

func main() {
	var probe struct {
		URL   string
		Steps []step
	}
	answer := map[string]any{}
	err := json.NewDecoder(os.Stdin).Decode(&probe)
	r := &run{url: probe.URL, links: map[string]*nats.Conn{}, told: map[string]*conn{},
		subs: map[string]subscription{}, arrived: map[string][]arrived{}, transcript: []string{}}
	for i := 0; err == nil && i < len(probe.Steps); i++ {
		err = r.do(probe.Steps[i])
	}
	if err == nil {
		err = r.fence()
	}
	r.Lock()
	var cannot unsupported
	if errors.As(err, &cannot) {
		answer["unsupported"] = cannot.Error()
	} else if err != nil {
		answer["lost"] = err.Error()
	} else {
		for name, conn := range r.told {
			for _, words := range conn.Errors {
				r.transcript = append(r.transcript, name+" . error: "+words)
			}
		}
		answer["library"] = "nats.go " + nats.Version
		answer["arrived"], answer["conns"], answer["transcript"] = r.arrived, r.told, r.transcript
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		os.Exit(1)
	}
}
