// Command beside measures what documents cost in several builds of Quire, side by
// side: seconds of processors of the service and of everything that it starts,
// which another's work on the machine changes far less than the clock, and the most
// memory that they held. Services
// take turns in many short rounds; what it prints are medians of the rounds.
//
//	beside [-rounds 9] [-only regexp] then=path/to/quire now=path/to/quire[,Browser__Sandbox=off]
//
// Ratios are to the first build, round by round; a setting that a build does not
// know must not be among its settings.
package main

import (
	"flag"
	"fmt"
	"log"
	"regexp"
	"slices"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 9, "how often each service makes each document's batch")
	only := flag.String("only", "", "documents whose names match")
	flag.Parse()
	log.SetFlags(0)
	if err := run(flag.Args(), *rounds, regexp.MustCompile(*only)); err != nil {
		log.Fatal(err)
	}
}

func run(builds []string, rounds int, only *regexp.Regexp) error {
	var services []*service
	for _, build := range builds {
		s, err := start(build)
		if s != nil {
			defer s.stop()
		}
		if err != nil {
			return err
		}
		services = append(services, s)
	}
	fmt.Printf("%-28s %-14s %9s %9s %9s %9s  %s\n", "document", "build", "service", "rest", "CPU ms", "peak MB", "ratio (half of the rounds)")
	if err := idle(services); err != nil {
		return err
	}
	for _, d := range documents() {
		if !only.MatchString(d.name) {
			continue
		}
		spent, err := compare(services, d, rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		for i, s := range services {
			print(d.name, s, spent[i], spent[0])
		}
	}
	return nil
}

// cost is what a document cost, in milliseconds of processors.
type cost struct{ service, rest float64 }

func (c cost) whole() float64 { return c.service + c.rest }

// plus adds another some times.
func (c cost) plus(o cost, times float64) cost {
	return cost{c.service + o.service*times, c.rest + o.rest*times}
}

// standing is for how long services are looked at while they have nothing to do,
// after a document each.
const standing = 10 * time.Second

// quiet waits until services have done what they do by themselves after their start,
// such as pictures of the reports they come with and of those that were imported,
// which begin some seconds later: for ten seconds none takes more than a few
// hundredths of a processor.
func quiet(services []*service) error {
	const few, calmFor, atMost = 30, 10, 5 * time.Minute // ms in a second; seconds
	for began, calm := time.Now(), 0; calm < calmFor; calm++ {
		if time.Since(began) > atMost {
			return fmt.Errorf("after %s a service has still something to do by itself", atMost)
		}
		before := make([]cost, len(services))
		for i, s := range services {
			var err error
			if before[i], err = s.spent(); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		time.Sleep(time.Second)
		for i, s := range services {
			after, err := s.spent()
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if after.plus(before[i], -1).whole() > few {
				calm = -1
			}
		}
	}
	return nil
}

// idle learns what each service takes in a second without a document. A document
// does not cost that, however long a busy machine lets it wait.
func idle(services []*service) error {
	before := make([]cost, len(services))
	for _, s := range services {
		if err := s.make("demo/reports/invoice/pdf", []byte("{}")); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if err := quiet(services); err != nil {
		return err
	}
	for i, s := range services {
		var err error
		if before[i], err = s.spent(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		s.began = time.Now()
	}
	time.Sleep(standing)
	for i, s := range services {
		after, err := s.spent()
		if err != nil {
			return err
		}
		s.idle = cost{}.plus(after.plus(before[i], -1), 1/time.Since(s.began).Seconds())
		fmt.Printf("%-28s %-14s %9.2f %9.2f %9.2f %9.0f\n", "(a second of nothing)", s.name, s.idle.service, s.idle.rest, s.idle.whole(), s.memory())
	}
	return nil
}

// compare lets the services make a document by turns; each begins as often as the
// others.
func compare(services []*service, d document, rounds int) ([][]cost, error) {
	spent := make([][]cost, len(services))
	body := d.request()
	for _, s := range services {
		s.peak = 0
		defer s.watch()()
	}
	for round := -1; round < rounds; round++ {
		for turn := range services {
			i := (turn + round + 1) % len(services)
			c, err := services[i].cost(d, body)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", services[i].name, err)
			}
			if round >= 0 { // the first warms up
				spent[i] = append(spent[i], c)
			}
		}
	}
	return spent, nil
}

// settling is how long a service may go on with what a batch has left.
const settling = 200 * time.Millisecond

func (s *service) cost(d document, body []byte) (cost, error) {
	began := time.Now()
	before, err := s.spent()
	if err != nil {
		return cost{}, err
	}
	for range d.batch {
		if err := s.make(d.path, body); err != nil {
			return cost{}, err
		}
	}
	time.Sleep(settling)
	after, err := s.spent()
	took := after.plus(before, -1).plus(s.idle, -time.Since(began).Seconds())
	return cost{}.plus(took, 1/float64(d.batch)), err
}

func print(document string, s *service, spent, first []cost) {
	of := func(value func(cost) float64) float64 {
		var all []float64
		for _, c := range spent {
			all = append(all, value(c))
		}
		return at(all, 0.5)
	}
	var ratios []float64
	for i := range spent {
		ratios = append(ratios, spent[i].whole()/first[i].whole())
	}
	service, rest := of(func(c cost) float64 { return c.service }), of(func(c cost) float64 { return c.rest })
	fmt.Printf("%-28s %-14s %9.2f %9.2f %9.2f %9.0f  %.3f (%.3f to %.3f)\n", document, s.name, service, rest, of(cost.whole), s.peak, at(ratios, 0.5), at(ratios, 0.25), at(ratios, 0.75))
}

// at is the value that a share of all is below.
func at(all []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[int(share*float64(len(sorted)-1)+0.5)]
}
