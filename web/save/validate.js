/* validate - checks a JSON file that Headlight has saved against saved.schema.json (JSON Schema 2020-12, of which
 * it knows the words that stand there), and what a schema cannot say: rows as long as the columns are many, maps
 * as large as there are tokens. Tells each fault with its place. Pure.
 */

/** @typedef {{[word: string]: any}} Schema */

/** @param {unknown} value */
const typeOf = value =>
    value === null
        ? 'null'
        : Array.isArray(value)
          ? 'array'
          : Number.isInteger(value)
            ? 'integer'
            : typeof value;

/** @param {unknown} value @param {string} type */
const isOf = (value, type) =>
    typeOf(value) === type || (type === 'number' && typeOf(value) === 'integer');

/** What a word of the schema demands: a fault, or '' where the value has none.
 * @type {Record<string, (wanted: any, value: any) => string>} */
const WORDS = {
    const: (wanted, value) => (value === wanted ? '' : `${JSON.stringify(wanted)} was expected`),
    enum: (wanted, value) =>
        wanted.includes(value) ? '' : `one of ${wanted.join(', ')} was expected`,
    type: (wanted, value) =>
        [wanted].flat().some(type => isOf(value, type))
            ? ''
            : `${[wanted].flat().join(' or ')} was expected, not ${typeOf(value)}`,
    minimum: (least, value) => (value < least ? `at least ${least} was expected` : ''),
    maximum: (most, value) => (value > most ? `at most ${most} was expected` : ''),
    minItems: (least, {length}) => (length < least ? `at least ${least} items were expected` : ''),
    maxItems: (most, {length}) => (length > most ? `at most ${most} items were expected` : ''),
    pattern: (wanted, value) =>
        typeof value !== 'string' || new RegExp(wanted, 'u').test(value)
            ? ''
            : `a text that fits ${wanted} was expected`,
    required: (names, value) =>
        names
            .filter((/** @type {string} */ name) => !(name in value))
            .map((/** @type {string} */ name) => `${name} is missing`)
            .join(', '),
};

/** @param {any} value @param {Schema} schema */
const membersOf = (value, {properties = {}, additionalProperties, items}) =>
    Array.isArray(value)
        ? value.map((one, i) => ({one, schema: items, at: `[${i}]`}))
        : value && typeof value === 'object'
          ? Object.entries(value).map(([name, one]) => ({
                ...{one, at: `.${name}`},
                schema: properties[name] ?? additionalProperties,
            }))
          : [];

/** The faults of a value, the first of each place. @param {any} value @param {Schema} schema
 * @param {Schema} root @param {string} at @returns {string[]} */
function faultsOf(value, schema, root, at) {
    if (schema.$ref) return faultsOf(value, root.$defs[schema.$ref.split('/').pop()], root, at);
    const {anyOf} = schema;
    if (anyOf) {
        const each = anyOf.map((/** @type {Schema} */ one) => faultsOf(value, one, root, at));
        return each.some((/** @type {string[]} */ list) => !list.length) ? [] : each.at(-1);
    }
    for (const [word, wanted] of Object.entries(schema)) {
        const fault = WORDS[word]?.(wanted, value);
        if (fault) return [`${at}: ${fault}`];
    }
    return membersOf(value, schema).flatMap(({one, schema: inner, at: place}) =>
        inner ? faultsOf(one, inner, root, at + place) : [],
    );
}

/** @param {any} value */
const tableFaults = ({columns, rows}) =>
    rows.flatMap((/** @type {any[]} */ row, /** @type {number} */ i) =>
        row.length === columns.length
            ? []
            : [`.rows[${i}]: ${row.length} cells, but there are ${columns.length} columns`],
    );

/** @param {any} value */
function attentionFaults({tokens: {length}, attention, moved}) {
    const maps = attention ?? moved;
    if (!maps) return [': neither attention nor moved is there'];
    const name = attention ? 'attention' : 'moved';
    return maps.flatMap((/** @type {number[][][][]} */ layer, /** @type {number} */ l) =>
        layer.flatMap((map, h) =>
            map.length === length && map.every(row => row.length === length)
                ? layer.length === maps[0].length
                    ? []
                    : [`.${name}[${l}]: ${layer.length} heads, but layer 0 has ${maps[0].length}`]
                : [`.${name}[${l}][${h}]: not ${length} × ${length}, as the tokens are`],
        ),
    );
}

/** @param {any} value */
const figureFaults = ({tokens: {length}, weights}) =>
    Object.entries(weights).flatMap(([name, {n, u8}]) =>
        u8.length === 4 * Math.ceil((n * length * length) / 3)
            ? []
            : [`.weights.${name}: not ${n} maps of ${length} × ${length}`],
    );

/** The kinds of files, told by what only they have. */
const KINDS = [
    {name: 'figure', has: 'headlight', more: figureFaults},
    {name: 'study', has: 'study', more: () => []},
    {name: 'table', has: 'columns', more: tableFaults},
    {name: 'attention', has: 'attention', more: attentionFaults},
    {name: 'attention', has: 'moved', more: attentionFaults},
];

/** @param {any} value of a file @param {Schema} schema saved.schema.json
 * @returns {{kind: string, faults: string[]}} kind: '' where it is none of Headlight's */
export function validate(value, schema) {
    const two = Array.isArray(value) && value.length === 2;
    if (two) {
        const [one, other] = value.map(each => validate(each, schema));
        const isTable = one.kind === 'table' && other.kind === 'table';
        const faults = [one, other].flatMap((each, i) => each.faults.map(text => `[${i}]${text}`));
        if (isTable) return {kind: 'two tables', faults};
    }
    const found = KINDS.find(({has}) => value && typeof value === 'object' && has in value);
    if (!found) return {kind: '', faults: [': none of the files that Headlight saves']};
    const faults = faultsOf(value, schema.$defs[found.name], schema, '');
    return {kind: found.name, faults: faults.length ? faults : found.more(value)};
}
