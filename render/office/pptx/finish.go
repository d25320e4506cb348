package pptx

import (
	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/theme"
)

// Numbers by which the presentation knows its parts: that of the master and those of its
// layouts are of one space.
const (
	firstMaster = 1 << 31
	firstSlide  = 256
)

// finish writes what is known in the end: master, theme and the presentation.
func (k *deck) finish() error {
	if len(k.doc.Sheets) == 0 {
		k.warn("", "no page becomes a slide; the presentation is empty")
	}
	page := &layout.Sheet{Width: k.width, Height: k.height, Margin: layout.Sides{48, 48, 48, 48}}
	if len(k.layouts) == 0 {
		if _, err := k.layout(page, nil, nil); err != nil {
			return err
		}
	}
	if k.shared > 0 {
		k.warn("", "headers and footers say something else on each of many pages; on %d slides they stand on the slide itself", k.shared)
	}
	k.pkg.Relate(presentationPart, slideMasterType, masterPart)
	if err := k.part(masterPart, contentTypes+"slideMaster+xml", func(x *opc.XML) { k.master(x, page) }); err != nil {
		return err
	}
	k.pkg.Relate(masterPart, theme.Relation, themePart)
	k.pkg.Relate(presentationPart, theme.Relation, themePart)
	if err := k.part(themePart, theme.ContentType, k.Theme.Write); err != nil {
		return err
	}
	return k.part(presentationPart, contentTypes+"presentation.main+xml", k.presentation)
}

func (k *deck) presentation(x *opc.XML) {
	x.Open("p:presentation").Attr("xmlns:p", mainNamespace).Attr("xmlns:a", drawingNamespace).Attr("xmlns:r", relationNamespace)
	if k.counted && k.first != 1 {
		x.Int("firstSlideNum", k.first)
	}
	if k.doc.RTL {
		x.Attr("rtl", "1")
	}
	x.Attr("saveSubsetFonts", "1")
	x.Open("p:sldMasterIdLst").Open("p:sldMasterId").Int("id", firstMaster).Attr("r:id", k.pkg.Relate(presentationPart, slideMasterType, masterPart)).Close().Close()
	if len(k.slideIDs) > 0 {
		x.Open("p:sldIdLst")
		for i, id := range k.slideIDs {
			x.Open("p:sldId").Int("id", firstSlide+i).Attr("r:id", id).Close()
		}
		x.Close()
	}
	x.Open("p:sldSz").Int("cx", units(k.width)).Int("cy", units(k.height)).Close()
	x.Open("p:notesSz").Int("cx", 6_858_000).Int("cy", 9_144_000).Close()
	x.Close()
}

// master writes what all layouts have in common: the colours and texts of the theme.
func (k *deck) master(x *opc.XML, page *layout.Sheet) {
	x.Open("p:sldMaster").Attr("xmlns:p", mainNamespace).Attr("xmlns:a", drawingNamespace).Attr("xmlns:r", relationNamespace)
	x.Open("p:cSld").Open("p:bg").Open("p:bgPr").Open("a:solidFill").Open("a:schemeClr").Attr("val", "bg1").Close().Close().Open("a:effectLst").Close().Close().Close()
	k.tree(x, masterPart, placing{scale: 1}, nil, func(x *opc.XML, next int) int {
		k.titleHolder(x, page, placing{scale: 1}, next)
		return next + 1
	})
	x.Close()
	x.Open("p:clrMap")
	for _, m := range [][2]string{
		{"bg1", "lt1"},
		{"tx1", "dk1"},
		{"bg2", "lt2"},
		{"tx2", "dk2"},
		{"accent1", "accent1"},
		{"accent2", "accent2"},
		{"accent3", "accent3"},
		{"accent4", "accent4"},
		{"accent5", "accent5"},
		{"accent6", "accent6"},
		{"hlink", "hlink"},
		{"folHlink", "folHlink"},
	} {
		x.Attr(m[0], m[1])
	}
	x.Close()
	x.Open("p:sldLayoutIdLst")
	for i, l := range k.layouts {
		x.Open("p:sldLayoutId").Int("id", firstMaster+1+i).Attr("r:id", k.pkg.Relate(masterPart, slideLayoutType, l.part)).Close()
	}
	x.Close()
	x.Open("p:txStyles")
	k.textStyle(x, "p:titleStyle", 2400, true, "+mj-lt", 1)
	k.textStyle(x, "p:bodyStyle", 1400, false, "+mn-lt", 5)
	k.textStyle(x, "p:otherStyle", 1400, false, "+mn-lt", 1)
	x.Close().Close()
}

func (k *deck) textStyle(x *opc.XML, name string, size int, bold bool, typeface string, levels int) {
	x.Open(name)
	for level := range levels {
		x.Open("a:lvl"+string(rune('1'+level))+"pPr").Int("marL", level*228_600).Int("indent", 0).Attr("algn", map[bool]string{true: "r", false: "l"}[k.doc.RTL]).Attr("rtl", yes(k.doc.RTL))
		x.Open("a:buNone").Close()
		x.Open("a:defRPr").Int("sz", size).Attr("b", yes(bold)).Open("a:solidFill").Open("a:schemeClr").Attr("val", "tx1").Close().Close()
		x.Open("a:latin").Attr("typeface", typeface).Close().Open("a:ea").Attr("typeface", "+mn-ea").Close().Open("a:cs").Attr("typeface", "+mn-cs").Close().Close().Close()
	}
	x.Close()
}
