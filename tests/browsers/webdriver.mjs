/* webdriver - a client of the W3C WebDriver protocol, as much of it as tests need, without a
 * dependency: over HTTP for chromedriver and WebKitWebDriver, and over Marionette's socket for
 * Firefox, which speaks the same commands under other names (geckodriver, which would translate, is
 * not in Debian 12). No knowledge of the page that is tested. */
import {connect} from 'node:net';
import {LIMIT} from '../browser/page.mjs';

// the protocol's name for a reference to an element
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const KEYS = {
    Enter: '\uE007',
    Escape: '\uE00C',
    Backspace: '\uE003',
    Tab: '\uE004',
    ArrowDown: '\uE015',
    ArrowUp: '\uE013',
    ArrowLeft: '\uE012',
    ArrowRight: '\uE014',
    Space: ' ',
    Shift: '\uE008',
    Control: '\uE009',
};

/** Each command: its HTTP method and path (`{id}` from the parameters), and its name in Marionette.
 */
const COMMANDS = {
    navigate: ['POST', 'url', 'WebDriver:Navigate'],
    back: ['POST', 'back', 'WebDriver:Back'],
    forward: ['POST', 'forward', 'WebDriver:Forward'],
    execute: ['POST', 'execute/async', 'WebDriver:ExecuteAsyncScript'],
    find: ['POST', 'element', 'WebDriver:FindElement'],
    click: ['POST', 'element/{id}/click', 'WebDriver:ElementClick'],
    type: ['POST', 'element/{id}/value', 'WebDriver:ElementSendKeys'],
    actions: ['POST', 'actions', 'WebDriver:PerformActions'],
    frame: ['POST', 'frame', 'WebDriver:SwitchToFrame'],
    timeouts: ['POST', 'timeouts', 'WebDriver:SetTimeouts'],
    rect: ['POST', 'window/rect', 'WebDriver:SetWindowRect'],
    screenshot: ['GET', 'screenshot', 'WebDriver:TakeScreenshot'],
};

const failure = (command, {error, message}) => new Error(`${command}: ${error}: ${message}`);

async function ask(address, method, body) {
    const answer = await fetch(address, {
        method,
        signal: AbortSignal.timeout(LIMIT),
        headers: {'content-type': 'application/json'},
        body: method === 'POST' ? JSON.stringify(body ?? {}) : undefined,
    });
    const {value} = await answer.json();
    if (!answer.ok) throw failure(`${method} ${address.replace(/.*session/, '')}`, value);
    return value;
}

/** @param {string} address of the driver @param {object} capabilities */
export async function overHttp(address, capabilities) {
    const {sessionId} = await ask(`${address}/session`, 'POST', {
        capabilities: {alwaysMatch: capabilities},
    });
    const session = `${address}/session/${sessionId}`;
    return {
        async send(command, parameters = {}) {
            const [method, path] = COMMANDS[command];
            return ask(`${session}/${path.replace('{id}', parameters.id)}`, method, parameters);
        },
        end: () => ask(session, 'DELETE'),
    };
}

/** Takes apart "length:json" as it comes in pieces. @param {(message: any) => void} take */
function reader(take) {
    let held = Buffer.alloc(0);
    return piece => {
        held = Buffer.concat([held, piece]);
        for (;;) {
            const colon = held.indexOf(':');
            const end = colon + 1 + Number(held.subarray(0, Math.max(colon, 0)).toString());
            if (colon < 0 || held.length < end) return;
            take(JSON.parse(held.subarray(colon + 1, end).toString()));
            held = held.subarray(end);
        }
    };
}

/** @param {number} port of Marionette @param {object} capabilities */
export async function overMarionette(port, capabilities) {
    const socket = connect(port, '127.0.0.1');
    const waiting = new Map();
    let count = 0;
    await new Promise((done, fail) => {
        socket.on('error', fail);
        socket.on(
            'data',
            reader(message => {
                if (!Array.isArray(message)) return done(); // its greeting
                const [, id, error, result] = message;
                const call = waiting.get(id);
                waiting.delete(id);
                if (error) call?.fail(failure(call.name, error));
                else call?.done(result && 'value' in result ? result.value : result);
            }),
        );
    });
    const call = (name, parameters) =>
        new Promise((done, fail) => {
            waiting.set(++count, {name, done, fail});
            const text = JSON.stringify([0, count, name, parameters]);
            socket.write(`${Buffer.byteLength(text)}:${text}`);
        });
    await call('WebDriver:NewSession', {capabilities: {alwaysMatch: capabilities}});
    return {
        send: (command, parameters = {}) =>
            call(
                COMMANDS[command][2],
                command === 'frame'
                    ? {...parameters, element: parameters.id?.[ELEMENT]}
                    : parameters,
            ),
        end: async () => {
            socket.destroy();
        },
    };
}

const pointAt = id => ({
    actions: [
        {
            type: 'pointer',
            id: 'mouse',
            parameters: {pointerType: 'mouse'},
            actions: [{type: 'pointerMove', duration: 0, origin: {[ELEMENT]: id}, x: 0, y: 0}],
        },
    ],
});

/** In the page: resolves when the element is there and has stood still for two frames, in the middle
 * of the window if it was outside. */
async function settle(css, limit) {
    const pause = () =>
        new Promise(done => {
            setTimeout(done, 50);
        });
    const end = Date.now() + limit;
    while (!document.querySelector(css) && Date.now() < end) await pause();
    const element = document.querySelector(css);
    if (!element) throw new Error(`there is no ${css}`);
    const place = () => {
        const {x, y} = element.getBoundingClientRect();
        return `${x} ${y}`;
    };
    const frame = () =>
        new Promise(done => {
            requestAnimationFrame(() => requestAnimationFrame(done));
        });
    const {top, bottom} = element.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight)
        element.scrollIntoView({block: 'center', behavior: 'instant'});
    for (let before = ''; before !== place(); await frame()) before = place();
}

/** What tests do in a window. `link`: of overHttp or overMarionette. */
export function windowOf(link) {
    /** Runs a function in the page with arguments that JSON can say, and gives what it returns or
     * resolves to. */
    const ask = async (question, ...args) => {
        const script = `const done = arguments[arguments.length - 1];
            Promise.resolve().then(() => (${question})(...arguments[0]))
                .then(value => done({value: value === undefined ? null : value}), error => done({error: String(error)}));`;
        const answer = await link.send('execute', {script, args: [args]});
        if (answer.error) throw new Error(`in the page: ${answer.error}`);
        return answer.value;
    };
    const find = async selector =>
        (await link.send('find', {using: 'css selector', value: selector}))[ELEMENT];
    const reach = async selector => {
        await ask(settle, selector, LIMIT / 3);
        return find(selector);
    };
    const key = (type, value) => ({type, value: KEYS[value] ?? value});
    const pressed = keys => [
        ...keys.map(name => key('keyDown', name)),
        ...keys.toReversed().map(name => key('keyUp', name)),
    ];
    const press = keys =>
        link.send('actions', {
            actions: [{type: 'key', id: 'keyboard', actions: pressed(keys.split('+'))}],
        });
    const click = async selector => link.send('click', {id: await reach(selector)});
    return {
        ask,
        press,
        click,
        goto: url => link.send('navigate', {url}),
        back: () => link.send('back'),
        forward: () => link.send('forward'),
        size: (width, height) => link.send('rect', {width, height}),
        hover: async selector => link.send('actions', pointAt(await reach(selector))),
        /** As a person would: the field is pressed, all in it is marked and written over. */
        async fill(selector, text) {
            await click(selector);
            await press('Control+a');
            await press('Backspace');
            if (text) await link.send('type', {id: await find(selector), text});
        },
        /** Of a file input: a path. */
        choose: async (selector, path) => link.send('type', {id: await find(selector), text: path}),
        async enter(selector) {
            await link.send('frame', {id: {[ELEMENT]: await find(selector)}});
        },
        leave: () => link.send('frame', {id: null}),
        screenshot: async () => Buffer.from(await link.send('screenshot'), 'base64'),
        async end() {
            await link.end().catch(() => {});
        },
    };
}
