/** Words for a source that models write in citations, in the languages of the widget and some others. */
export const sourceWords: readonly string[] = [
  'source sources src document documents doc docs passage passages reference references ref refs',
  'citation citations cite cites footnote footnotes chunk chunks excerpt excerpts context contexts',
  'quelle quellen quellenangabe quellenangaben quellenverzeichnis dokument dokumente',
  'kontext textstelle textstellen referenz referenzen beleg belege fußnote fußnoten nachweis nachweise',
  'fuente fuentes documento documentos referencia referencias cita citas pasaje pasajes fragmento fragmentos',
  'référence références réf réfs extrait extraits contexte contexto',
  'fonte fonti documenti riferimento riferimenti citazione citazioni passaggio passaggi brano brani',
  'bron bronnen bronvermelding documenten referentie referenties verwijzing verwijzingen citaat citaten',
  'voetnoot voetnoten fontes referência referências citação citações trecho trechos',
  '来源 來源 文档 文檔 资料 資料 参考资料 参考 參考 引用 出处 出處 出典 文書 参照',
  'источник источники документ документы ссылка ссылки джерело джерела',
  'källa källor kilde kilder lähde lähteet źródło źródła kaynak kaynaklar nguồn zdroj zdroje forrás források',
  'sursa surse πηγή πηγές מקור מקורות مصدر مصادر المصدر المصادر ソース 文献 출처 문서 자료',
].flatMap((line) => line.split(' '));

/** Words before a citation in parentheses: `(see [1])`. */
export const leadWords: readonly string[] = [
  'see cf cf. from per via siehe vgl. aus laut gemäß voir selon véase ver según vedi cfr. secondo zie volgens',
  'vide conforme см. см 参见 參見 见 見',
].flatMap((line) => line.split(' '));

/** Words that stand alone as a heading above a list of sources. */
const headingWords = [
  'source sources reference references citation citations quelle quellen quellenangabe quellenangaben',
  'quellenverzeichnis referenzen belege nachweise fuente fuentes referencia referencias référence références',
  'fonte fonti riferimento riferimenti bron bronnen bronvermelding referenties fontes referência referências',
  '来源 來源 参考资料 参考 參考 引用 出处 出處 出典 источник источники',
].flatMap((line) => line.split(' '));

/** Pattern of a word that means a source, such as `Quelle`. */
export const SOURCE_WORD = toPattern(sourceWords);
/** Pattern of a heading above a list of sources. */
export const SOURCE_HEADING = toPattern(headingWords);

/** Returns all given words and all their prefixes. */
export function listPrefixes(words: readonly string[]): string[] {
  return words.flatMap((word) => Array.from(word, (_, at) => word.slice(0, at + 1)));
}

/** Builds a pattern that matches the longest of several alternative words. */
function toPattern(words: readonly string[]): string {
  return `(?:${[...words].sort((a, b) => b.length - a.length).join('|')})`;
}
