import { EventSubscriber, type EntitySubscriberInterface, type LoadEvent, type ObjectLiteral } from 'typeorm';
import { contentOf, openRow, type ContentRow } from './content.ts';

/** Opens the content of whatever TypeORM reads. */
@EventSubscriber()
export class ContentSubscriber implements EntitySubscriberInterface {
  /** @throws Error for a row that was read without its key's id: sealed text would pass for the text itself */
  afterLoad(row: ObjectLiteral, event?: LoadEvent<ObjectLiteral>): Promise<void> | undefined {
    const content = event && contentOf(event.metadata.target);
    if (!content) return undefined;
    if (row['keyId'] !== undefined) return openRow(event.dataSource, content, row as ContentRow);
    const read = [...content.columns.keys()].filter((property) => row[property] !== undefined);
    if (read.length === 0) return undefined;
    throw new Error(`${content.table} was read with ${read.join(', ')}, and without keyId.`);
  }
}
