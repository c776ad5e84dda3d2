/* The model that is on its way (session/loader.js): begun before anyone asks, shared by all who ask,
 * told once when it fails, and loaded anew when the engine has lost it.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Loader} from '../../web/session/loader.js';

/** An engine whose loads end when the test says so; what it has lost it does not hold. */
function slowEngine() {
    const loads = [];
    const released = [];
    const lost = new Set();
    return {
        loads,
        released,
        lost,
        holds: handle => !lost.has(handle),
        release: ({model}) => {
            released.push(model);
        },
        load: (source, options) =>
            new Promise((resolve, reject) => {
                loads.push({source, ...options, resolve, reject});
            }),
    };
}

const source = {url: 'models/a/'};
const {signal} = new AbortController();
const never = () => assert.fail('it is not another model');

test('what has begun is what is asked for, by all at once; progress is shown to who comes late', async () => {
    const engine = slowEngine();
    const loader = new Loader(engine);
    loader.begin(source);
    const progress = {file: 'a', done: 1, total: 2};
    engine.loads[0].onProgress(progress);
    const shown = [];
    loader.follow(patch => shown.push(patch));
    assert.deepEqual(shown, [{progress}]);
    const asked = [loader.load(source, signal, never), loader.load(source, signal, never)];
    engine.loads[0].resolve({model: 1, info: 'a'});
    assert.deepEqual(await Promise.all(asked), [
        {model: 1, info: 'a'},
        {model: 1, info: 'a'},
    ]);
    assert.equal(loader.info, 'a');
    assert.equal(engine.loads.length, 1);
    assert.deepEqual(shown.at(-1), {progress: null, copy: ''});
});

test('a model is loaded anew once the engine does not hold it any more: its worker has died, idle or not', async () => {
    const engine = slowEngine();
    const loader = new Loader(engine);
    loader.begin(source);
    engine.loads[0].resolve({model: 1});
    await null;
    assert.equal((await loader.load(source, signal, never)).model, 1);
    engine.lost.add(1);
    let told = false;
    const again = loader.load(source, signal, () => {
        told = true;
    });
    assert.equal(engine.loads.length, 2);
    assert.ok(told, 'what was computed with it is gone, too');
    engine.loads[1].resolve({model: 2});
    assert.equal((await again).model, 2);
});

test('a failure before anyone asked is told to who asks first, and the next one tries again', async () => {
    const engine = slowEngine();
    const loader = new Loader(engine);
    loader.begin(source);
    engine.loads[0].reject(new Error('no network'));
    await null;
    await assert.rejects(loader.load(source, signal, never), /no network/);
    assert.equal(engine.loads.length, 1, 'nothing is tried twice by itself');
    loader.load(source, signal, () => {}).catch(() => {});
    assert.equal(engine.loads.length, 2);
});

test('another model calls off the one that has begun', () => {
    const engine = slowEngine();
    const loader = new Loader(engine);
    loader.begin(source);
    let other = false;
    loader
        .load({url: 'models/b/'}, signal, () => {
            other = true;
        })
        .catch(() => {});
    assert.ok(other && engine.loads[0].signal.aborted && !engine.loads[1].signal.aborted);
});

test('the model before is given back when another one begins: two do not lie side by side', async () => {
    const engine = slowEngine();
    const loader = new Loader(engine);
    loader.begin(source);
    engine.loads[0].resolve({model: 7});
    await loader.load(source, signal, never);
    loader.begin({url: 'models/b/'});
    assert.deepEqual(engine.released, [7]);
});
