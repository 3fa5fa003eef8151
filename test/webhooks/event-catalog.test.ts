import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { eventCatalog, eventNames } from '../../services/webhooks/event-catalog.ts';
import { listSourceFiles } from '../support/source-files.ts';

const ajv = addFormats.default(new Ajv2020({ allErrors: true }));

describe('the event catalog', () => {
  it('contains only events that services emit', () => {
    const services = listSourceFiles(['services', 'repositories'], /\.ts$/)
      .filter((file) => !file.endsWith('/event-catalog.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    assert.deepEqual(
      eventNames.filter((name) => !services.includes(`'${name}'`)),
      [],
    );
  });

  it('contains exactly the events of this test, of which only message.created is batched', () => {
    assert.deepEqual(
      eventCatalog.map(({ name, delivery }) => [name, delivery]),
      [
        ['conversation.started', 'immediate'],
        ['conversation.ended', 'immediate'],
        ['message.created', 'batched'],
        ['lead.captured', 'immediate'],
        ['contact.updated', 'immediate'],
        ['document.indexed', 'immediate'],
        ['document.failed', 'immediate'],
        ['handoff.requested', 'immediate'],
      ],
    );
  });

  for (const { name, example, schema } of eventCatalog) {
    it(`has a sample of ${name} that matches its published schema, which refuses additional and missing fields`, () => {
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema)));
      assert.equal(validate(example), true, ajv.errorsText(validate.errors));
      assert.equal(validate({ ...example, event: 'other' }), false);
      assert.equal(validate({ ...example, data: { ...example.data, surplus: 1 } }), false);
      for (const field of Object.keys(example.data)) {
        const { [field]: _removed, ...rest } = example.data;
        assert.equal(validate({ ...example, data: rest }), false, `without ${field}`);
      }
    });
  }
});
