/* steps - self-attention step by step on real numbers, after the illustrated explanations: from the
 * embedding to the output of one head, first as the vectors of one token, then as matrices. The
 * step is part of the link.
 */
import {h} from 'preact';
import {page} from '../../draw/blocks.js';
import {heading} from '../../draw/blocks/prose.js';
import {drawnView} from '../../draw/view.js';
import {endNeeds, Ends} from './ends.js';
import {Choices, keys, Lead, Readout, Says, Stepper, Whole} from './page.js';
import {captionOf, stepsRows} from './rows.js';
import {leadWords, saysOf} from './says.js';
import {stepOf, stepsNeeds, stepsScene} from './scene.js';
import {partsOf} from './stages.js';
import {beginInstructive} from '../parts/begin_heads.js';

/** @type {import('../view.js').Described} */
const view = {
    id: 'steps',
    controls: ['layer', 'head'],
    wide: true,
    needs: stepsNeeds,
    later: (state, model) => endNeeds(state, model, stepOf(state, model)),
    begin: beginInstructive,
    scene: stepsScene,
    blocks: (scene, {file}, t) => [
        file && heading(captionOf(scene, t), 36, {y: 18, 'font-size': 15}),
        page(Stepper),
        ...partsOf(scene.id, scene.form, scene, t).map((block, i) => ({
            ...block,
            pieces: scene.tokens.map((/** @type {{piece: string}} */ {piece}) => piece),
            id: `${scene.step} ${scene.form} ${i}`,
        })),
        page(Ends),
        page(Whole),
        page(Readout),
    ],
    beside: (state, data, t, on) => {
        const scene = stepsScene(state, data);
        const props = /** @type {any} */ ({state, data: {...data, t}, on, scene});
        // the choices first: they keep their place, however long what is said of a step
        return [
            h(Choices, {key: 'choices', ...props}),
            h(Lead, {key: 'lead', ...props}),
            h(Says, {key: 'says', ...props}),
        ];
    },
    frame: keys,
    sheet: {font: 13, width: 960},
    rows: stepsRows,
    say: (scene, t) =>
        t.steps.describe(captionOf(scene, t), leadWords(scene, t), saysOf(scene, t).says),
    pictured: t => t.steps.pictured,
    howTo: t => t.steps.howTo,
};

export const stepsView = drawnView(view);
