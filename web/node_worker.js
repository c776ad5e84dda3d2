/* node_worker - the script of the thread that node.js starts: core/worker.js, answering its parent.
 */
import {parentPort} from 'node:worker_threads';
import {serve} from './core/worker.js';

serve(parentPort);
