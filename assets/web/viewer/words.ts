// The words of the viewer, in the language of the document.

const KEYS = [
  "viewer", "print", "zoom", "zoomIn", "zoomOut", "automatic", "pageWidth", "wholePage", "preparing", "failed", "warnings", "parameters", "pages", "contents", "side",
  "close", "previousPage", "nextPage", "pageNumber", "search", "noHits", "previousHit", "nextHit", "fullScreen", "leaveFullScreen", "download", "more", "making", "apply", "reset",
  "showReport", "chooseValues", "yes", "no", "firstMonth", "lastMonth", "back", "noContents", "comments",
] as const;

/** Words with places for what is told. */
const PLACES = ["page", "hits", "firstChoose", "downloadAs"] as const;

type Texts = Record<(typeof KEYS)[number], string>;
export interface Words extends Texts {
  page(at: number, of: number): string;
  hits(at: number, of: string): string;
  firstChoose(what: string): string;
  downloadAs(format: string): string;
}

/** The words of each language in the order of their names, then those with places. */
const ROWS: Record<string, string> = {
  en: "Report|Print|Zoom|Zoom in|Zoom out|Automatic|Page width|Whole page|Preparing pages …|The pages could not be laid out.|Warnings|Parameters|Pages|Contents|Pages and contents|Close|Previous page|Next page|Page|Search in the report|No hits|Previous hit|Next hit|Full screen|Leave full screen|Download|More|The file is being made; the download begins by itself.|Apply|Reset|Show report|Choose the values, and the report appears here.|Yes|No|First month|Last month|Back to the reports|The report has no headings.|Comments|Page # of #|# of #|First choose #.|Download as #",
  de: "Bericht|Drucken|Vergrößerung|Vergrößern|Verkleinern|Automatisch|Seitenbreite|Ganze Seite|Seiten werden vorbereitet …|Die Seiten konnten nicht aufgebaut werden.|Hinweise|Parameter|Seiten|Inhalt|Seiten und Inhalt|Schließen|Vorige Seite|Nächste Seite|Seite|Im Bericht suchen|Nichts gefunden|Voriger Treffer|Nächster Treffer|Vollbild|Vollbild beenden|Herunterladen|Mehr|Die Datei wird erstellt; das Herunterladen beginnt von selbst.|Anwenden|Zurücksetzen|Bericht zeigen|Wählen Sie die Werte, dann erscheint der Bericht hier.|Ja|Nein|Erster Monat|Letzter Monat|Zurück zu den Berichten|Der Bericht hat keine Überschriften.|Kommentare|Seite # von #|# von #|Wählen Sie zuerst #.|Als # herunterladen",
  fr: "Rapport|Imprimer|Zoom|Agrandir|Réduire|Automatique|Largeur de page|Page entière|Préparation des pages …|Les pages n’ont pas pu être mises en page.|Avertissements|Paramètres|Pages|Sommaire|Pages et sommaire|Fermer|Page précédente|Page suivante|Page|Rechercher dans le rapport|Aucun résultat|Résultat précédent|Résultat suivant|Plein écran|Quitter le plein écran|Télécharger|Plus|Le fichier est en préparation ; le téléchargement commencera de lui-même.|Appliquer|Réinitialiser|Afficher le rapport|Choisissez les valeurs et le rapport s’affichera ici.|Oui|Non|Premier mois|Dernier mois|Retour aux rapports|Le rapport n’a pas de titres.|Commentaires|Page # sur #|# sur #|Choisissez d’abord #.|Télécharger en #",
  es: "Informe|Imprimir|Zoom|Acercar|Alejar|Automático|Ancho de página|Página entera|Preparando páginas …|No se pudieron componer las páginas.|Advertencias|Parámetros|Páginas|Contenido|Páginas y contenido|Cerrar|Página anterior|Página siguiente|Página|Buscar en el informe|Sin resultados|Resultado anterior|Resultado siguiente|Pantalla completa|Salir de pantalla completa|Descargar|Más|El archivo se está creando; la descarga empezará sola.|Aplicar|Restablecer|Mostrar informe|Elija los valores y el informe aparecerá aquí.|Sí|No|Primer mes|Último mes|Volver a los informes|El informe no tiene títulos.|Comentarios|Página # de #|# de #|Elija primero #.|Descargar como #",
  it: "Report|Stampa|Zoom|Ingrandisci|Riduci|Automatico|Larghezza pagina|Pagina intera|Preparazione delle pagine …|Impossibile impaginare il documento.|Avvisi|Parametri|Pagine|Sommario|Pagine e sommario|Chiudi|Pagina precedente|Pagina successiva|Pagina|Cerca nel report|Nessun risultato|Risultato precedente|Risultato successivo|Schermo intero|Esci da schermo intero|Scarica|Altro|Il file è in preparazione; il download inizierà da solo.|Applica|Ripristina|Mostra report|Scegli i valori e il report apparirà qui.|Sì|No|Primo mese|Ultimo mese|Torna ai report|Il report non ha titoli.|Commenti|Pagina # di #|# di #|Prima scegli #.|Scarica come #",
  nl: "Rapport|Afdrukken|Zoom|Inzoomen|Uitzoomen|Automatisch|Paginabreedte|Hele pagina|Pagina’s worden voorbereid …|De pagina’s konden niet worden opgemaakt.|Waarschuwingen|Parameters|Pagina’s|Inhoud|Pagina’s en inhoud|Sluiten|Vorige pagina|Volgende pagina|Pagina|Zoeken in het rapport|Niets gevonden|Vorige treffer|Volgende treffer|Volledig scherm|Volledig scherm verlaten|Downloaden|Meer|Het bestand wordt gemaakt; het downloaden begint vanzelf.|Toepassen|Herstellen|Rapport tonen|Kies de waarden, dan verschijnt het rapport hier.|Ja|Nee|Eerste maand|Laatste maand|Terug naar de rapporten|Het rapport heeft geen koppen.|Opmerkingen|Pagina # van #|# van #|Kies eerst #.|Downloaden als #",
  pl: "Raport|Drukuj|Powiększenie|Powiększ|Pomniejsz|Automatycznie|Szerokość strony|Cała strona|Przygotowywanie stron …|Nie udało się złożyć stron.|Ostrzeżenia|Parametry|Strony|Spis treści|Strony i spis treści|Zamknij|Poprzednia strona|Następna strona|Strona|Szukaj w raporcie|Brak wyników|Poprzedni wynik|Następny wynik|Pełny ekran|Zamknij pełny ekran|Pobierz|Więcej|Plik jest tworzony; pobieranie zacznie się samo.|Zastosuj|Przywróć|Pokaż raport|Wybierz wartości, a raport pojawi się tutaj.|Tak|Nie|Pierwszy miesiąc|Ostatni miesiąc|Wróć do raportów|Raport nie ma nagłówków.|Komentarze|Strona # z #|# z #|Najpierw wybierz: #.|Pobierz jako #",
  pt: "Relatório|Imprimir|Zoom|Ampliar|Reduzir|Automático|Largura da página|Página inteira|A preparar as páginas …|Não foi possível compor as páginas.|Avisos|Parâmetros|Páginas|Índice|Páginas e índice|Fechar|Página anterior|Página seguinte|Página|Procurar no relatório|Sem resultados|Resultado anterior|Resultado seguinte|Ecrã inteiro|Sair do ecrã inteiro|Transferir|Mais|O ficheiro está a ser criado; a transferência começa sozinha.|Aplicar|Repor|Mostrar relatório|Escolha os valores e o relatório aparece aqui.|Sim|Não|Primeiro mês|Último mês|Voltar aos relatórios|O relatório não tem títulos.|Comentários|Página # de #|# de #|Escolha primeiro #.|Transferir como #",
  sr: "Izveštaj|Štampaj|Zum|Uvećaj|Umanji|Automatski|Širina strane|Cela strana|Priprema strana …|Strane nisu mogle da se pripreme.|Upozorenja|Parametri|Strane|Sadržaj|Strane i sadržaj|Zatvori|Prethodna strana|Sledeća strana|Strana|Traži u izveštaju|Nema rezultata|Prethodni rezultat|Sledeći rezultat|Ceo ekran|Izađi iz celog ekrana|Preuzmi|Više|Datoteka se pravi; preuzimanje počinje samo.|Primeni|Vrati|Prikaži izveštaj|Izaberite vrednosti i izveštaj će se pojaviti ovde.|Da|Ne|Prvi mesec|Poslednji mesec|Nazad na izveštaje|Izveštaj nema naslova.|Komentari|Strana # od #|# od #|Prvo izaberite: #.|Preuzmi kao #",
};

/** The languages of the viewer. */
export const LANGUAGES = Object.keys(ROWS);

/** The words for a language tag; English where there are none. */
export function wordsFor(lang: string): Words {
  const row = (ROWS[lang.toLowerCase().split("-")[0] ?? ""] ?? ROWS["en"]!).split("|");
  const texts = Object.fromEntries(KEYS.map((key, i) => [key, row[i]])) as Texts;
  const [page, hits, firstChoose, downloadAs] = PLACES.map((_, i) => row[KEYS.length + i]!) as [string, string, string, string];
  return {
    ...texts,
    page: (at, of) => put(page, at, of),
    hits: (at, of) => put(hits, at, of),
    firstChoose: (what) => put(firstChoose, what),
    downloadAs: (format) => put(downloadAs, format),
  };
}

function put(text: string, ...values: (string | number)[]): string {
  return values.reduce<string>((said, value) => said.replace("#", () => String(value)), text);
}
