/* fields - the study, its corpus and its settings: the fields that all studies share.
 * state/state.js makes them part of the state.
 */
import {field, model, name, settings, text} from '../../state/fields.js';

export const fields = [
    field('study', name, '', {step: true}), // id of a study, '' = what the corpus is
    field('corpus', name, '', {step: true}), // id in corpora/index.json, '' = its first
    // a second model, 'random' = this one with random weights
    field('otherModel', model, ''),
    field('settings', settings, []), // of the study: name:value
    field('asked', text, ''), // of an index of the corpus, as on the command line (ask/question.js)
];
