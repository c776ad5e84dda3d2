/* node_worker - the script of the thread that node.js starts: worker/worker.js, answering its parent;
 * and of those that help it (worker/helper.js), which it starts itself. Models of the hub it reads from the
 * cache on the disk (hub_cache.js).
 */
import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import {takePlace} from '../files/hub_place.js';
import {help} from '../worker/helper.js';
import {serve} from '../worker/worker.js';
import {CachePlace} from './hub_cache.js';

/** @type {import('../worker/threads.js').MakeHelper} */
const makeHelper = url => {
    const thread = new Worker(new URL(url), {workerData: {helps: true}});
    thread.on('error', () => {}); // it has not joined: nobody waits for it
    thread.unref();
    return /** @type {any} */ (thread);
};

if (workerData?.helps) parentPort?.once('message', help);
else if (!isMainThread) {
    takePlace(CachePlace);
    serve(/** @type {any} */ (parentPort), makeHelper);
}
