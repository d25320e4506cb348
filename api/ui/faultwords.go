package ui

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
)

// phrase is what is said about a definition in another language: an English
// pattern with the places of its values, and its translation.
type phrase struct {
	english *regexp.Regexp
	places  []int // the number that the translation has for each value
	said    string
}

// maxDepth bounds sentences inside of sentences.
const maxDepth = 4

var placeMark = regexp.MustCompile(`\{(\d)\}`)

// phrases reads the translations of a language, those that say most first:
// "column {0}: {1}" would fit what "column {0}: {1} is no number" is for.
func phrases(lang string) []phrase {
	content, err := fs.ReadFile(files, path.Join("texts/faults", lang+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // English
	}
	known := map[string]string{}
	if err == nil {
		err = json.Unmarshal(content, &known)
	}
	if err != nil {
		panic(err) // it is embedded
	}
	fixed := func(s string) int { return len(placeMark.ReplaceAllString(s, "")) }
	keys := make([]string, 0, len(known))
	for key := range known {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(fixed(b)-fixed(a), cmp.Compare(a, b)) })
	list := make([]phrase, len(keys))
	for i, key := range keys {
		s := phrase{said: known[key]}
		pattern := ""
		from := 0
		for _, at := range placeMark.FindAllStringSubmatchIndex(key, -1) {
			value := `(.*?)`
			if at[0] == from && from > 0 { // it goes on with what the one before means
				value = `((?:[;,(].*)?)`
			}
			pattern += regexp.QuoteMeta(key[from:at[0]]) + value
			n, _ := strconv.Atoi(key[at[2]:at[3]])
			s.places = append(s.places, n)
			from = at[1]
		}
		s.english = regexp.MustCompile(`(?s)^` + pattern + regexp.QuoteMeta(key[from:]) + `$`)
		list[i] = s
	}
	return list
}

// element is how messages begin that name their element: text "t1":
var element = regexp.MustCompile(`^[\w-]+ "[^"]*": `)

// pathPrefix is how messages begin that have their place in front: $data.invoice.lines[0].net:
var pathPrefix = regexp.MustCompile(`^[a-z$][\w.$\[\]-]*: `)

// told is a message of another package in a language; what is not known stays
// English.
func (t *texts) told(lang, message string) string {
	return inLanguage(t.phrases[lang], message, 0)
}

func inLanguage(known []phrase, message string, depth int) string {
	if len(known) == 0 || depth > maxDepth || message == "" {
		return message
	}
	if place := element.FindString(message); place != "" {
		return place + inLanguage(known, message[len(place):], depth+1)
	}
	for _, s := range known {
		values := s.english.FindStringSubmatch(message)
		if values == nil {
			continue
		}
		pairs := make([]string, 0, 2*len(s.places))
		for i, n := range s.places {
			pairs = append(pairs, "{"+strconv.Itoa(n)+"}", quoted(inLanguage(known, values[i+1], depth+1)))
		}
		return strings.NewReplacer(pairs...).Replace(s.said)
	}
	if place := pathPrefix.FindString(message); place != "" {
		return place + inLanguage(known, message[len(place):], depth+1)
	}
	return message
}

// quoted is a value in the quotation marks of German, the one language there is
// besides.
func quoted(value string) string {
	if inner, err := strconv.Unquote(value); err == nil && strings.HasPrefix(value, `"`) {
		return "„" + inner + "“"
	}
	return value
}

// said is what is wrong, in the language of a request: a sentence of the pages, or
// one of another package with its values.
func (u *UI) said(r *http.Request, message string) string {
	if known := u.t(r, message); known != message {
		return known
	}
	return u.told(r, message)
}

// told is a message of another package in the language of a request.
func (u *UI) told(r *http.Request, message string) string {
	return u.texts.told(u.language(r), message)
}

// refuse answers with an error in the language of a request.
func (u *UI) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if problems := answer.ProblemsIn(err); len(problems) > 0 && u.language(r) != "en" {
		told := make(report.Problems, len(problems))
		for i, p := range problems {
			own := *p
			own.Message = u.told(r, p.Message)
			told[i] = &own
		}
		err = told
	}
	answer.Error(w, r, err)
}
