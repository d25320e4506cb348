package text

import "strings"

// languageNumbers are the languages for which spreadsheets have names of months
// and days, by the numbers that format codes name them by ([MS-LCID] 2.2).
const languageNumbers = `
af 436 am 45e ar 401 ar-AE 3801 ar-DZ 1401 ar-EG c01 ar-IQ 801 ar-JO 2c01 ar-KW 3401 ar-LB 3001 ar-MA 1801 ar-QA 4001 ar-TN 1c01 as 44d az 42c
be 423 bg 402 bn 445 bs 141a ca 403 cs 405 cy 452 da 406 de 407 de-AT c07 de-CH 807 de-LI 1407 de-LU 1007 el 408 en 409 en-AU c09 en-CA 1009
en-GB 809 en-IE 1809 en-IN 4009 en-NZ 1409 en-ZA 1c09 es c0a es-AR 2c0a es-CL 340a es-CO 240a es-MX 80a es-PE 280a et 425 eu 42d fa 429 fi 40b
fil 464 fo 438 fr 40c fr-BE 80c fr-CA c0c fr-CH 100c fr-LU 140c ga 83c gl 456 gu 447 he 40d hi 439 hr 41a hr-BA 101a hu 40e hy 42b id 421 is 40f
it 410 it-CH 810 ja 411 ka 437 kk 43f km 453 kn 44b ko 412 kok 457 ky 440 lb 46e lo 454 lt 427 lv 426 mk 42f ml 44c mn 450 mr 44e ms 43e mt 43a
my 455 nb 414 ne 461 nl 413 nl-BE 813 nn 814 no 414 or 448 pa 446 pl 415 pt 816 pt-BR 416 rm 417 ro 418 ru 419 si 45b sk 41b sl 424 sq 41c
sr 281a sr-Latn 241a sv 41d sv-FI 81d sw 441 ta 449 te 44a tg 428 th 41e tr 41f uk 422 ur 420 uz 443 vi 42a zh 804 zh-HK c04 zh-Hant 404 zh-TW 404`

// languageNumber is the number of the language that is nearest to a tag; empty
// when there is none.
func languageNumber(tag string) string {
	fields := strings.Fields(languageNumbers)
	numbers := make(map[string]string, len(fields)/2)
	for i := 0; i < len(fields); i += 2 {
		numbers[fields[i]] = fields[i+1]
	}
	parts := strings.Split(tag, "-")
	last := parts[len(parts)-1]
	for _, name := range []string{tag, parts[0] + "-" + last, strings.Join(parts[:min(len(parts), 2)], "-"), parts[0]} {
		if n := numbers[name]; n != "" {
			return n
		}
	}
	return ""
}
