/* What tells the page of a newer version (app/install.js), with a browser made up: when it speaks,
 * when it is silent, and what the button does; and the handshake by which a page and a worker of
 * different builds find each other out.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {BUILD, ownFile} from '../../web/base/build.js';
import {createInstaller} from '../../web/app/install.js';
import {answer, createOperations} from '../../web/worker/worker.js';

class FakeWorker extends EventTarget {
    sent = [];
    constructor(state) {
        super();
        this.state = state;
    }
    postMessage(message) {
        this.sent.push(message);
    }
    become(state) {
        this.state = state;
        this.dispatchEvent(new Event('statechange'));
    }
}

function fakeBrowser({controlled, ...workers}) {
    const registration = Object.assign(new EventTarget(), {
        installing: null,
        waiting: null,
        ...workers,
    });
    const container = Object.assign(new EventTarget(), {
        controller: controlled ? {} : null,
        asked: [],
        register(url) {
            container.asked.push(String(url));
            return Promise.resolve(registration);
        },
    });
    const installer = createInstaller(container);
    let told = 0;
    installer.subscribe(() => {
        told++;
    });
    return {registration, container, installer, told: () => told};
}

test('the first version is no update', async () => {
    const worker = new FakeWorker('installing');
    const {installer, container, told} = fakeBrowser({controlled: false, installing: worker});
    await installer.start('https://example.org/sw.js');
    worker.become('installed');
    assert.deepEqual(
        [container.asked, installer.get(), told()],
        [['https://example.org/sw.js'], false, 0],
    );
});

test('a version that waits already, and one that comes later', async () => {
    const early = fakeBrowser({controlled: true, waiting: new FakeWorker('installed')});
    await early.installer.start('sw.js');
    assert.deepEqual([early.installer.get(), early.told()], [true, 1]);
    const {installer, registration, told} = fakeBrowser({controlled: true});
    await installer.start('sw.js');
    registration.installing = new FakeWorker('installing');
    registration.dispatchEvent(new Event('updatefound'));
    assert.equal(installer.get(), false);
    registration.installing.become('redundant'); // its files were not those of one version
    assert.equal(installer.get(), false);
    registration.installing = new FakeWorker('installing');
    registration.dispatchEvent(new Event('updatefound'));
    registration.installing.become('installed');
    assert.deepEqual([installer.get(), told()], [true, 1]);
});

test('reload: the new version first takes over; if another tab has done so, at once', async () => {
    const worker = new FakeWorker('installed');
    const {installer, container} = fakeBrowser({controlled: true, waiting: worker});
    await installer.start('sw.js');
    let reloads = 0;
    const reload = () => {
        reloads++;
    };
    installer.use(reload);
    assert.deepEqual([worker.sent, reloads], [['use'], 0]);
    container.dispatchEvent(new Event('controllerchange'));
    assert.equal(reloads, 1);
    worker.become('activated');
    installer.use(reload);
    assert.deepEqual([worker.sent.length, reloads], [1, 2]);
});

test('where there are no service workers, or they are refused, nothing happens', async t => {
    t.mock.method(console, 'info', () => {});
    await createInstaller(undefined).start('sw.js');
    const refusing = Object.assign(new EventTarget(), {
        controller: null,
        register: () => Promise.reject(new Error('SecurityError')),
    });
    const installer = createInstaller(refusing);
    await installer.start('sw.js');
    assert.equal(installer.get(), false);
    assert.equal(console.info.mock.callCount(), 1);
});

test('a worker of another build refuses to start and says what to do', async () => {
    const {error} = await answer(createOperations(), {
        id: 1,
        op: 'start',
        args: {build: 'abc', wasm: new Uint8Array()},
    });
    assert.match(
        error,
        new RegExp(
            `^engine: the page is of build abc but its worker of build ${BUILD}; .*reload the page`,
        ),
    );
    assert.equal(
        ownFile('./worker.js', 'https://example.org/x/main.js').href,
        'https://example.org/x/worker.js',
    );
});
