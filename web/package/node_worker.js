/* node_worker - the script of the thread that node.js starts: worker/worker.js, answering its parent.
 */
import {parentPort} from 'node:worker_threads';
import {serve} from '../worker/worker.js';

serve(parentPort);
