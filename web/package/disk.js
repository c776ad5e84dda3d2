/* disk - files of a disk in Node in the form that files/folder.js takes from a browser, read piece by piece.
 */
import {open} from 'node:fs/promises';

const PIECE = 1 << 20; // bytes read at once

/** @param {string} path @returns {ReadableStream<Uint8Array>} */
function streamOf(path) {
    /** @type {any} */
    let file;
    return new ReadableStream(
        {
            async pull(controller) {
                file ??= await open(path);
                const {bytesRead, buffer} = await file.read(new Uint8Array(PIECE), 0, PIECE);
                if (bytesRead) return controller.enqueue(buffer.subarray(0, bytesRead));
                await file.close();
                controller.close();
            },
            cancel: () => file?.close(),
        },
        {highWaterMark: 0},
    );
}

/** @param {string} path @param {string} name @param {number} size in bytes */
export const fileOn = (path, name, size) =>
    /** @type {File} */ (
        /** @type {unknown} */ ({
            name,
            size,
            webkitRelativePath: name,
            stream: () => streamOf(path),
        })
    );
