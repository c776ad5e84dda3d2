/* touch - the English wording for touch screens, which replaces what page.js and views.js say for a
 * mouse (words/overlay.js). A number is a place in a list.
 */
import {overlay} from '../overlay.js';

const said = {
    headsHint: 'Double-tap: solo.',
    pointHint: 'Press the picture: its numbers appear here.',
    head: {
        howTo: {
            1:
                'Press a token to see only its lines, and their numbers. The buttons beside the numbers add other ' +
                'tokens or mask this one; press it again to unpin it.',
        },
    },
    modelView: {howTo: {1: 'Press a head to see it large, with its numbers.'}},
    neuron: {
        howTo: {
            1:
                'Blue is positive, orange negative. Press a query to see its rows. Press a cell to read its numbers ' +
                'below; “Set to zero” beside them sets that neuron to zero in all queries of this head.',
        },
    },
    steps: {
        howTo: {
            0:
                'Self-attention step by step, with the numbers of this model and this text. Choose a token, a layer ' +
                'and a head; the buttons lead on. Blue is positive, orange negative.',
        },
        point: 'Press a cell to read its number.',
    },
};

export const touch = {
    said,
    /** @param {any} page */
    over: page => overlay(page, said),
};
