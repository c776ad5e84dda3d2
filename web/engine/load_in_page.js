/* load_in_page - loads a model from files that a worker cannot read itself (those of a disk in
 * Node, and in WebKit those of a page without an origin): they are read here and sent piece by
 * piece.
 */
import {openFolder} from '../files/folder.js';
import {loadModel} from '../files/load.js';

/** Bytes that may be handed over: a piece may share its buffer with others.
 * @param {Uint8Array} bytes */
const whole = bytes => (bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice());

/** @type {import('./engine.js').LoadInPage} */
export const loadInPage = async (source, {model, ...how}, watch, call) =>
    loadModel(
        await openFolder(source, watch),
        (op, args) => {
            const {bytes} = /** @type {{bytes?: Uint8Array}} */ (args);
            const given = bytes && whole(bytes);
            return call(
                /** @type {any} */ (op),
                {...args, model, ...(given && {bytes: given})},
                {signal: watch.signal, transfer: given ? [given.buffer] : []},
            );
        },
        how,
    );
