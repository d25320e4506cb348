// The few words of the preview, in the language of the document.

export interface Words {
  print: string;
  zoomIn: string;
  zoomOut: string;
  fit: string;
  tools: string;
  page(at: number, of: number): string;
  preparing: string;
  failed: string;
  warnings: string;
  parameters: string;
  asPDF: string;
}

type Row = [print: string, zoomIn: string, zoomOut: string, fit: string, tools: string, page: string, preparing: string, failed: string, warnings: string, parameters: string, asPDF: string];

const ROWS: Record<string, Row> = {
  en: ["Print", "Zoom in", "Zoom out", "Fit width", "Preview", "Page # of #", "Preparing pages …", "The pages could not be laid out.", "Warnings", "Parameters", "Show as PDF"],
  de: ["Drucken", "Vergrößern", "Verkleinern", "Breite einpassen", "Vorschau", "Seite # von #", "Seiten werden vorbereitet …", "Die Seiten konnten nicht aufgebaut werden.", "Hinweise", "Parameter", "Als PDF zeigen"],
  fr: ["Imprimer", "Agrandir", "Réduire", "Ajuster à la largeur", "Aperçu", "Page # sur #", "Préparation des pages …", "Les pages n’ont pas pu être mises en page.", "Avertissements", "Paramètres", "Afficher en PDF"],
  es: ["Imprimir", "Acercar", "Alejar", "Ajustar al ancho", "Vista previa", "Página # de #", "Preparando páginas …", "No se pudieron componer las páginas.", "Advertencias", "Parámetros", "Ver como PDF"],
  it: ["Stampa", "Ingrandisci", "Riduci", "Adatta alla larghezza", "Anteprima", "Pagina # di #", "Preparazione delle pagine …", "Impossibile impaginare il documento.", "Avvisi", "Parametri", "Mostra come PDF"],
  nl: ["Afdrukken", "Inzoomen", "Uitzoomen", "Aanpassen aan breedte", "Voorbeeld", "Pagina # van #", "Pagina’s worden voorbereid …", "De pagina’s konden niet worden opgemaakt.", "Waarschuwingen", "Parameters", "Als pdf tonen"],
  pl: ["Drukuj", "Powiększ", "Pomniejsz", "Dopasuj do szerokości", "Podgląd", "Strona # z #", "Przygotowywanie stron …", "Nie udało się złożyć stron.", "Ostrzeżenia", "Parametry", "Pokaż jako PDF"],
  pt: ["Imprimir", "Ampliar", "Reduzir", "Ajustar à largura", "Pré-visualização", "Página # de #", "A preparar as páginas …", "Não foi possível compor as páginas.", "Avisos", "Parâmetros", "Mostrar em PDF"],
  sr: ["Štampaj", "Uvećaj", "Umanji", "Po širini", "Pregled", "Strana # od #", "Priprema strana …", "Strane nisu mogle da se pripreme.", "Upozorenja", "Parametri", "Prikaži kao PDF"],
};

/** The words for a language tag; English where there are none. */
export function wordsFor(lang: string): Words {
  const row = ROWS[lang.toLowerCase().split("-")[0] ?? ""] ?? ROWS["en"]!;
  const [print, zoomIn, zoomOut, fit, tools, page, preparing, failed, warnings, parameters, asPDF] = row;
  return {
    print, zoomIn, zoomOut, fit, tools, preparing, failed, warnings, parameters, asPDF,
    page: (at, of) => page.replace("#", String(at)).replace("#", String(of)),
  };
}
