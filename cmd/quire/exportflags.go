package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/quire-reports/quire/export"
)

// exportFlags are the flags of the commands that make a file: the export
// options, the parameters and the file.
type exportFlags struct {
	req    export.Request
	params []string
	out    string
}

// add declares the flags. Objects have flags of their own, and secrets have no
// place on a command line, which others see.
func (o *exportFlags) add(flags *pflag.FlagSet) {
	flags.StringVarP(&o.out, "output", "o", "", "file to write; - for standard output")
	flags.StringArrayVar(&o.params, "param", nil, "parameter as name=value, may be repeated; a value that is JSON is taken as such")
	for _, option := range export.Options() {
		name, help := flagName(option.Field.Name), flagHelp(&option)
		switch value := option.Field.In(&o.req).Addr().Interface().(type) {
		case *string:
			flags.StringVar(value, name, "", help)
		case *bool:
			flags.BoolVar(value, name, false, help)
		case *[]int:
			flags.IntSliceVar(value, name, nil, help)
		}
	}
}

// flagName writes the name of an option as a flag: includeAttachments as
// include-attachments.
func flagName(option string) string {
	var b strings.Builder
	for _, r := range option {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func flagHelp(o *export.Option) string {
	switch {
	case o.From == "formats":
		return strings.Join(o.Enum, " or ") + " (default by the output's extension)"
	case o.Enum != nil:
		return o.Field.Help + " Accepted: " + strings.Join(o.Enum, ", ")
	}
	return o.Field.Help
}

// request is what the flags ask for.
func (o *exportFlags) request() (export.Request, error) {
	req := o.req
	if o.out == "" {
		return req, usageError{errors.New("-o is required: where to write the file, or - for standard output")}
	}
	var err error
	switch {
	case !req.InvoiceXML:
		req.Format, err = formatFor(o.out, req.Format)
	case o.out != "-" && !strings.EqualFold(filepath.Ext(o.out), ".xml"):
		err = usageError{fmt.Errorf("-o %s: --invoice-xml writes XML; name the file .xml", o.out)}
	}
	if err != nil {
		return req, err
	}
	req.Params, err = readParams(o.params)
	return req, err
}
