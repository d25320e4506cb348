package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// demoReports are the codes of the demo's report types, each with the fewest
// pages it must have.
var demoReports = map[string]int{"invoice": 1, "statement": 5, "sales": 4, "letter": 1, "product-sheet": 4, "price-list": 2}

func TestDemoReportsHaveTheSamePagesInPreviewAndPDF(t *testing.T) {
	s := startService(t)
	tab := openBrowser(t)
	for code, least := range demoReports {
		for _, lang := range []string{"en", "de"} {
			facts := s.facts("/api/v1/ws/demo/reports/" + code + "/pdf?lang=" + lang)
			var shown struct{ Pages []string }
			preview := s.url + "/ws/demo/reports/" + code + "/preview?lang=" + lang + "&nonce=" + s.nonce()
			tab.eval(t, preview, &shown)
			if len(facts.Pages) < least || len(shown.Pages) != len(facts.Pages) {
				t.Errorf("%s in %s: %d pages in the preview, %d in the PDF, at least %d expected", code, lang, len(shown.Pages), len(facts.Pages), least)
				continue
			}
			for i, page := range shown.Pages {
				if a, b := letters(page), letters(facts.Pages[i].Text); a != b {
					t.Errorf("%s in %s, page %d holds %d characters in the preview and %d in the PDF", code, lang, i+1, len(a), len(b))
				}
			}
		}
	}
}

// letters are the characters of a page but blanks and list markers, sorted:
// preview and PDF tell them in different orders.
func letters(s string) string {
	plain := strings.NewReplacer("•", "", "\u00ad", "", "\ufb01", "fi", "\ufb02", "fl", "\ufb00", "ff").Replace(s)
	list := []rune(strings.Join(strings.Fields(plain), ""))
	slices.Sort(list)
	return string(list)
}

func TestNothingIsLostBetweenThePagesOfTheStatement(t *testing.T) {
	s := startService(t)
	facts := s.facts("/api/v1/ws/demo/reports/statement/pdf")
	var all strings.Builder
	for _, p := range facts.Pages {
		all.WriteString(p.Text + "\n")
	}
	demo, problems := report.ReadWorkspace(assets.Demo())
	if problems != nil {
		t.Fatal(problems)
	}
	format := text.ParseFormat("currency;EUR;2")
	env := &text.Env{Locale: text.LocaleFor("en-GB")}
	rest, rows := all.String(), 0
	for _, row := range demoRows(t, demo, "bank-statement", "transactions") {
		balance, _ := row.(*report.Object).Get("balance")
		want := string(format.Append(nil, balance, env, text.Raw))
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("row %d: the balance %s does not follow the one before", rows, want)
		}
		rest = after
		rows++
	}
	if rows < 100 {
		t.Errorf("only %d movements", rows)
	}
}

func demoRows(t *testing.T, demo *report.Workspace, code, source string) []any {
	t.Helper()
	for _, r := range demo.Reports {
		for _, d := range r.Report.DataSources {
			if r.Code == code && d.Name == source {
				return d.Settings["content"].([]any)
			}
		}
	}
	t.Fatalf("the demo has no source %s in %s", source, code)
	return nil
}

func TestDemoReportsHaveNoWarnings(t *testing.T) {
	s := startService(t)
	for code := range demoReports {
		file, err := export.New(s.engine.config).Export(context.Background(), export.Request{Workspace: 1, Report: code})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range file.Warnings {
			t.Errorf("%s: %v", code, w)
		}
		file.Close()
	}
}

// facts are what a reader sees of a PDF that the service makes.
func (s *service) facts(path string) *pdf.Facts {
	s.t.Helper()
	a := s.ok(http.MethodGet, path, nil)
	facts, err := pdf.ReadFacts(context.Background(), a.body, "")
	if err != nil {
		s.t.Fatal(err)
	}
	return facts
}

// browser is a tab as a user has it.
type browser struct{ ctx context.Context }

func openBrowser(t testing.TB) *browser {
	t.Helper()
	path, err := render.FindBrowser("")
	if err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.Flag("disable-background-networking", true), chromedp.Flag("font-render-hinting", "none"))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	alloc, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, closeTab := chromedp.NewContext(alloc)
	t.Cleanup(func() { closeTab(); stop() })
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	t.Cleanup(cancel)
	return &browser{ctx}
}

// readPages waits until a preview has its pages and tells their texts.
const readPages = `new Promise((done, fail) => {
	const started = Date.now();
	const visible = page => {
		const copy = page.cloneNode(true);
		for (const hidden of copy.querySelectorAll(".q-hidden")) hidden.remove();
		return copy.textContent;
	};
	const look = () => {
		const pages = [...document.querySelectorAll(".q-page")];
		if (pages.length && !document.querySelector(".q-sheet") && document.fonts.status === "loaded")
			return done({pages: pages.map(visible)});
		if (Date.now() - started > 20000) return fail(new Error("no pages after 20 s: " + document.body.innerText.slice(0, 300)));
		setTimeout(look, 50);
	};
	look();
})`

func (b *browser) eval(t *testing.T, address string, out any) {
	t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Navigate(address)); err != nil {
		t.Fatalf("opening %s: %v", address, err)
	}
	result, err := chromedp.Call(b.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: readPages, AwaitPromise: new(true), ReturnByValue: new(true)})
	if err == nil && result.ExceptionDetails != nil {
		err = fmt.Errorf("%s %s", result.ExceptionDetails.Text, string(result.ExceptionDetails.Exception.Description))
	}
	if err == nil {
		err = json.Unmarshal([]byte(result.Result.Value), out)
	}
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
}
