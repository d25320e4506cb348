package text
import ("testing";"os";"strings";"sort")
func TestZZTags(t *testing.T){ tags:=LocaleTags(); sort.Strings(tags); os.WriteFile("/tmp/w/text/tags.txt",[]byte(strings.Join(tags," ")),0o644)}
