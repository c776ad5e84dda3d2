/* The model that is on its way (ui/loader.js): begun before anyone asks, shared by all who ask, told once when it fails, and loaded
 * anew when the engine has lost it.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Loader} from '../../web/ui/loader.js';

/** An engine whose loads end when the test says so. */
function slowEngine() {
    const loads = [];
    return {loads, load: (source, options) => new Promise((resolve, reject) => { loads.push({source, ...options, resolve, reject}); })};
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
    engine.loads[0].resolve('model');
    assert.deepEqual(await Promise.all(asked), ['model', 'model']);
    assert.equal(engine.loads.length, 1);
    assert.deepEqual(shown.at(-1), {progress: null});
});

test('a model that was there before anyone asked is loaded anew after the engine has lost it', async () => {
    const engine = slowEngine();
    const loader = new Loader(engine);
    loader.begin(source);
    engine.loads[0].resolve('first');
    await null;
    assert.equal(await loader.load(source, signal, never), 'first');
    loader.forget();
    const again = loader.load(source, signal, () => {});
    assert.equal(engine.loads.length, 2);
    engine.loads[1].resolve('second');
    assert.equal(await again, 'second');
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
    loader.load({url: 'models/b/'}, signal, () => { other = true; }).catch(() => {});
    assert.ok(other && engine.loads[0].signal.aborted && !engine.loads[1].signal.aborted);
});
