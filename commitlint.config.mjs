/** Matches verbs in the past tense or the progressive form, such as “added” and “adding”. */
const NOT_IMPERATIVE = /^\w+(ed|ing)$/;
/** Imperatives that also match `NOT_IMPERATIVE`. */
const IMPERATIVE = new Set(['bring', 'embed', 'feed', 'need', 'seed', 'shed', 'speed', 'string']);

const rules = {
  'imperative-verb': ({ subject }) => {
    const [first = ''] = (subject ?? '').toLowerCase().split(' ');
    const isImperative = !NOT_IMPERATIVE.test(first) || IMPERATIVE.has(first);
    return [isImperative, `the subject must say what to do: not “${first}” but its plain form`];
  },
  'one-type': ({ header }) => [
    !/[;,] \w+(\([^)]*\))?: /.test(header ?? ''),
    'the subject must have one type: make a commit of each change',
  ],
};

export default {
  extends: ['@commitlint/config-conventional'],
  plugins: [{ rules }],
  rules: {
    'header-max-length': [2, 'always', 72],
    'imperative-verb': [2, 'always'],
    'one-type': [2, 'always'],
    'subject-case': [0],
  },
};
