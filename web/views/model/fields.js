/* fields - the settings of the model view alone: the heads of its grid, their order and style.
 * state/state.js makes them part of the state.
 */
import {choice, field, flag, name, numbers} from '../../state/fields.js';

export const fields = [
    field('picture', choice('lines', 'heatmaps'), 'lines'), // what a thumbnail is
    field('keepLayers', numbers, []), // the layers shown
    field('keepHeads', numbers, []), // the heads shown
    field('measure', name, ''), // tints and sorts the heads, '' = none
    // by place, by measure in each layer or over all
    field('order', choice('model', 'layer', 'all'), 'model'),
    // show [CLS] and [SEP], and the first token; the head view has its own
    field('gridSpecials', flag, true),
    field('gridFirst', flag, true),
    field('opened', name, '', {step: true}), // layer.head shown large, '' = none
];
