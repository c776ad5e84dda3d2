/* fields - the fields of all views and studies, gathered for state/state.js. They come eagerly, with the
 * page and with <head-light>, since a link is read before any view has been fetched; so a file of
 * fields is small and imports state/fields.js alone. A view that has settings of its own says them in
 * views/<v>/fields.js and has a line here.
 */
import {fields as decides} from './decides/fields.js';
import {fields as find} from './find/fields.js';
import {fields as head} from './head/fields.js';
import {fields as heatmap} from './heatmap/fields.js';
import {fields as model} from './model/fields.js';
import {fields as neuron} from './neuron/fields.js';
import {fields as steps} from './steps/fields.js';
import {fields as study} from './study/fields.js';
import {fields as roles} from './study/roles/fields.js';

export const fields = [
    ...[...head, ...heatmap, ...model, ...neuron, ...steps, ...find, ...decides],
    ...[...study, ...roles],
];
