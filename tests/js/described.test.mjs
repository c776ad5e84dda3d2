/* What hl_describe says of a model has one home, the tables of src/model/arch.c, and is told in three
 * more places: the manual in headlight.h, the package's types, the worker's types. Each of them has
 * the names that a model's description has, and no others.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import ts from 'typescript';
import {openModel, root} from './lib/model.mjs';

const textOf = path => readFileSync(join(root, path), 'utf8');
const MODELS = ['bert-tiny-random', 'qwen3-next', 'modernbert-masked', 'mpnet-masked'];
const described = await Promise.all(
    MODELS.map(async name => {
        const opened = await openModel(join(root, 'tests/golden/models', name), 'f32');
        return opened.model;
    }),
);
const [{block, per_layer: layers, ...model}] = described;
/** wasm.js adds these from hl_constants. */
const FROM_CONSTANTS = ['patterns', 'measures'];
const own = Object.keys(model).filter(name => !FROM_CONSTANTS.includes(name));
const camel = name => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/** The comment that ends before hl_describe. */
const manual = /\/\* The model as one JSON object:(.*?)\*\//s
    .exec(textOf('src/headlight.h'))[1]
    .replaceAll(/\n \*/g, '\n');

/** What a key of the manual says up to its closing bracket. */
function partOf(key) {
    const start = manual.indexOf(`"${key}":`);
    return manual.slice(start + key.length + 3, manual.indexOf('}', start));
}
const namesIn = text => [...text.matchAll(/"([a-z_]+)"/g)].map(([, name]) => name);

test('every model is described by the same names', () => {
    for (const {block: other, per_layer: otherLayers, ...more} of described) {
        assert.deepEqual(Object.keys(other), Object.keys(block));
        for (const layer of otherLayers)
            assert.deepEqual(Object.keys(layer), Object.keys(layers[0]));
        assert.deepEqual(Object.keys(more), Object.keys(model));
    }
});

test('the manual of hl_describe names what a layer is made of, in its order', () => {
    assert.deepEqual(namesIn(partOf('block')), Object.keys(block));
    assert.deepEqual(namesIn(partOf('per_layer')), Object.keys(layers[0]));
});

test('the manual of hl_describe names everything else, too', () => {
    const named = namesIn(manual);
    assert.deepEqual(
        own.filter(name => !named.includes(name)),
        [],
    );
});

/** Of a type literal or an interface: name -> type. */
const fieldsOf = node => new Map(node.members.map(member => [member.name.text, member.type]));

function interfaceOf(path, name) {
    const file = ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest);
    return fieldsOf(
        file.statements.find(one => ts.isInterfaceDeclaration(one) && one.name.text === name),
    );
}

test('the types of the package name the same', () => {
    const info = interfaceOf('web/package/head-light.d.ts', 'ModelInfo');
    const each = info.get('perLayer').elementType;
    const sorted = names => [...names].sort();
    assert.deepEqual(
        sorted(info.keys()),
        sorted(
            [...own, ...FROM_CONSTANTS, 'block', 'per_layer', 'second' /* headlight_two.h */].map(
                camel,
            ),
        ),
    );
    assert.deepEqual([...fieldsOf(info.get('block')).keys()], Object.keys(block).map(camel));
    assert.deepEqual(sorted(fieldsOf(each).keys()), sorted(Object.keys(layers[0]).map(camel)));
});

test('the words that a field may be are those of the manual', () => {
    const info = interfaceOf('web/package/head-light.d.ts', 'ModelInfo');
    const fields = new Map([
        ...fieldsOf(info.get('block')),
        ...fieldsOf(info.get('perLayer').elementType),
        ...info,
    ]);
    const unions = [...manual.matchAll(/"([a-z_]+)":\s+"([a-z_|]+\|[a-z_|]+)"/g)];
    assert.ok(unions.length >= 5, `${unions.length} fields of several words`);
    for (const [, name, words] of unions) {
        const {types} = name === 'norm' ? fieldsOf(info.get('block')).get(name) : fields.get(name);
        assert.deepEqual(
            types.map(type => type.literal.text),
            words.split('|'),
            name,
        );
    }
});

/** The names of a type that worker.js gives in a comment. */
function commented(name) {
    const text = textOf('web/worker/worker.js').replaceAll(/\n \*/g, ' ');
    const end = new RegExp(`\\}\\} ${name} `).exec(text).index;
    const start = text.lastIndexOf('@typedef {{', end);
    return [...text.slice(start, end).matchAll(/\b([a-z_]+)\??:/g)].map(([, field]) => field);
}

test('the types of the worker name the same', () => {
    assert.deepEqual(commented('Block'), Object.keys(block));
    assert.deepEqual(commented('Layer'), Object.keys(layers[0]));
});
