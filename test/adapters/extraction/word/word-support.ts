import { buildZip } from '../build-zip.ts';
import { extractBytes } from '../extraction-support.ts';

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Builds the files in a Word document's archive around the content of its body. */
export const wordParts = (body: string, more: Record<string, string | Buffer> = {}) => ({
  '[Content_Types].xml':
    '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  '_rels/.rels': `<Relationships><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="word/document.xml"/></Relationships>`,
  'word/document.xml': `<w:document xmlns:w="w" xmlns:m="m" xmlns:r="r"><w:body>${body}</w:body></w:document>`,
  ...more,
});

/** Builds the file that lists a Word document's relationships: links by id, and other files by id and kind. */
export const wordRelationships = (
  links: Record<string, string>,
  parts: Record<string, [string, string]> = {},
) => ({
  'word/_rels/document.xml.rels': `<Relationships>${Object.entries(links)
    .map(
      ([id, target]) =>
        `<Relationship Id="${id}" Type="${relationships}/hyperlink" Target="${target}" TargetMode="External"/>`,
    )
    .join('')}${Object.entries(parts)
    .map(
      ([id, [kind, target]]) =>
        `<Relationship Id="${id}" Type="${relationships}/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`,
});

export const readWord = (body: string, more: Record<string, string | Buffer> = {}) =>
  extractBytes(buildZip(wordParts(body, more)), 'a.docx');

/** Returns all text of a Word document with this body. */
export async function readWordText(
  body: string,
  more: Record<string, string | Buffer> = {},
): Promise<string> {
  const { sections } = await readWord(body, more);
  return sections.map(({ text }) => text).join('\n\n');
}

export const run = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;

export const paragraph = (content: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;

export const field = (instruction: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

/** Builds a Word field without a stored result, with the data of a form field. */
export const bareField = (instruction: string, form = '') =>
  `<w:r><w:fldChar w:fldCharType="begin">${form}</w:fldChar></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r>` +
  '<w:r><w:fldChar w:fldCharType="end"/></w:r>';
