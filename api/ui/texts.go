package ui

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/language"

	"github.com/quire-reports/quire/api/internal/access"
)

// Language is one in which people can read the pages and the designer.
type Language struct{ Code, Name string }

// Languages are those there are texts for. English is the text in the code; each
// other one has a file in texts/ here and one in assets/web/texts.
func Languages() []Language { return []Language{{"en", "English"}, {"de", "Deutsch"}} }

// texts are what the pages say in each language, by the English text.
type texts struct {
	byLanguage map[string]map[string]string
	phrases    map[string][]phrase // that other packages say, by language
	tags       []language.Tag
	matcher    language.Matcher
}

// allTexts are read once, and not changed then.
var allTexts = sync.OnceValue(newTexts)

func newTexts() *texts {
	t := &texts{byLanguage: map[string]map[string]string{}, phrases: map[string][]phrase{}}
	for _, l := range Languages() {
		t.tags = append(t.tags, language.MustParse(l.Code))
		if l.Code == "en" {
			continue
		}
		content, err := fs.ReadFile(files, path.Join("texts", l.Code+".json"))
		known := map[string]string{}
		if err == nil {
			err = json.Unmarshal(content, &known)
		}
		if err != nil {
			panic(err) // it is embedded
		}
		t.byLanguage[l.Code] = known
		t.phrases[l.Code] = phrases(l.Code)
	}
	t.matcher = language.NewMatcher(t.tags)
	return t
}

// T is an English text in a language, with its placeholders {0}, {1} … filled;
// what is not translated stays English.
func (t *texts) T(lang, english string, args ...any) string {
	said, ok := t.byLanguage[lang][english]
	if !ok {
		said = english
	}
	if len(args) == 0 {
		return said
	}
	pairs := make([]string, 0, 2*len(args))
	for i, arg := range args {
		pairs = append(pairs, "{"+strconv.Itoa(i)+"}", fmt.Sprint(arg))
	}
	return strings.NewReplacer(pairs...).Replace(said)
}

// html is T for templates: with an argument that is HTML it is HTML, and
// everything else in it is escaped.
func (t *texts) html(lang, english string, args ...any) any {
	marked := false
	escaped := make([]any, len(args))
	for i, arg := range args {
		if h, ok := arg.(template.HTML); ok {
			escaped[i], marked = h, true
		} else {
			escaped[i] = template.HTMLEscaper(arg)
		}
	}
	if !marked {
		return t.T(lang, english, args...)
	}
	said := template.HTMLEscapeString(t.T(lang, english))
	return template.HTML(t.T("en", said, escaped...)) // all of it is escaped
}

// in is T of a language.
func (t *texts) in(lang string) func(english string, args ...any) string {
	return func(english string, args ...any) string { return t.T(lang, english, args...) }
}

// functions are what templates of a language use.
func (t *texts) functions(lang string) template.FuncMap {
	say := t.in(lang)
	return template.FuncMap{
		"t":    func(english string, args ...any) any { return t.html(lang, english, args...) },
		"lang": func() string { return lang },
		"code": func(text string) template.HTML {
			return template.HTML("<code>" + template.HTMLEscapeString(text) + "</code>")
		},
		"all":      func(names []string) string { return strings.Join(names, " "+say("and")+" ") },
		"told":     func(message string) string { return t.told(lang, message) },
		"sentence": func(message string) string { return sentence(t.told(lang, message)) },
		"size":     func(bytes int64) string { return showSize(say, bytes) },
		// The copy of a page says these two in the zone of its reader.
		"date": func(any) string { panic("no zone") },
		"day":  func(time.Time) string { panic("no zone") },
	}
}

// has tells whether there are texts in a language.
func (t *texts) has(lang string) bool { return lang == "en" || t.byLanguage[lang] != nil }

// language is what a request is answered in: the user's choice, else what the
// browser prefers among those there are, else English.
func (u *UI) language(r *http.Request) string {
	if caller := access.Of(r.Context()); caller != nil && caller.Scope == nil && caller.User != nil && caller.User.Language != "" && u.texts.has(caller.User.Language) {
		return caller.User.Language
	}
	wanted, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil || len(wanted) == 0 {
		return "en"
	}
	_, at, confidence := u.texts.matcher.Match(wanted...)
	if confidence == language.No {
		return "en"
	}
	return Languages()[at].Code
}

// t is an English text in the language of a request.
func (u *UI) t(r *http.Request, english string, args ...any) string {
	return u.texts.T(u.language(r), english, args...)
}

// date is a time in the language of a request, for others than the caller: in
// UTC.
func (u *UI) date(r *http.Request, at time.Time) string {
	return showDate(u.texts.in(u.language(r)), at, time.UTC)
}

// zoneOf is the zone of the times that a request is answered with: the user's
// choice, else UTC.
func zoneOf(r *http.Request) *time.Location {
	if caller := access.Of(r.Context()); caller != nil && caller.Scope == nil && caller.User != nil && caller.User.TimeZone != "" {
		if zone, err := time.LoadLocation(caller.User.TimeZone); err == nil {
			return zone
		}
	}
	return time.UTC
}

// say marks a text that is translated where it is shown.
func say(english string, _ ...any) string { return english }

// chooseLanguage keeps the language of the signed-in user; none is the
// browser's.
func (u *UI) chooseLanguage(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err == nil {
		lang := sent.Get("lang")
		if !u.texts.has(lang) {
			lang = ""
		}
		err = u.Store.SetLanguage(r.Context(), access.Of(r.Context()).User.ID, lang)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	http.Redirect(w, r, u.localAddress(sent.Get("next")), http.StatusSeeOther)
}
