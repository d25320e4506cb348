package v1

import (
	"context"
	"fmt"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// ReportParameter is a parameter as requests give it a value.
type ReportParameter struct {
	Name       string            `json:"name" doc:"Member of params."`
	Label      string            `json:"label" doc:"What people read."`
	Type       string            `json:"type" enum:"text,number,date,month-range,lookup,switch"`
	Required   bool              `json:"required" doc:"Whether there is no report without a value."`
	HasDefault bool              `json:"hasDefault" doc:"Whether there is a value when none is given."`
	Multiple   bool              `json:"multiple" doc:"Whether a lookup takes several values."`
	Values     []ParameterChoice `json:"values" nullable:"false" doc:"Fixed values of a lookup; empty when they are looked up, or free."`
}

// ParameterChoice is one value that a lookup offers.
type ParameterChoice struct {
	Value choice `json:"value"`
	Label string `json:"label"`
}

// choice is a text, a number or a switch.
type choice struct{ value any }

// MarshalJSON writes the value alone.
func (c choice) MarshalJSON() ([]byte, error) { return report.MarshalDefinition(c.value) }

// Schema describes it.
func (choice) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}, {Type: "null"}}}
}

// ReportSource is a data source as requests replace its data.
type ReportSource struct {
	Name        string `json:"name" doc:"Member of data and of temporary data."`
	DisplayName string `json:"displayName"`
	Description string `json:"description"`
	Type        string `json:"type" doc:"json, csv, javascript, sql, api, mongodb or transformation."`
}

type reportOutput struct{ Body Report }

// oneReport tells what the list tells of one report.
func (s *service) oneReport(ctx context.Context, p *ReportPath) (*reportOutput, error) {
	definition, err := s.report(ctx, p.Report)
	if err != nil {
		return nil, err
	}
	return &reportOutput{s.listed(access.Of(ctx).Workspace, definition.Row)}, nil
}

// described are the parameters and data sources of a report that the caller may
// read.
func (s *service) described(ctx context.Context, ref string) (*export.Described, error) {
	definition, err := s.report(ctx, ref)
	if err != nil {
		return nil, err
	}
	return s.Export.Describe(ctx, access.Of(ctx).Workspace.ID, strconv.Itoa(definition.ID))
}

// orName is a label, or what stands for it.
func orName(label string, name any) string {
	if label == "" {
		return fmt.Sprint(name)
	}
	return label
}

func (s *service) reportParameters(ctx context.Context, p *ReportPath) (*list[ReportParameter], error) {
	found, err := s.described(ctx, p.Report)
	if err != nil {
		return nil, err
	}
	return listOf(found.Parameters, nil, func(p report.Parameter) ReportParameter {
		values := []ParameterChoice{}
		for _, item := range p.Lookup {
			values = append(values, ParameterChoice{choice{item.Value}, orName(item.Label, item.Value)})
		}
		return ReportParameter{p.Name, orName(p.Label, p.Name), orName(p.Type, report.ParameterText), p.Required, p.Default != nil, p.Multiple, values}
	})
}

func (s *service) reportSources(ctx context.Context, p *ReportPath) (*list[ReportSource], error) {
	found, err := s.described(ctx, p.Report)
	if err != nil {
		return nil, err
	}
	return listOf(found.Sources, nil, func(u report.SourceUse) ReportSource {
		return ReportSource{u.Name, u.DisplayName, u.Description, u.Type}
	})
}
