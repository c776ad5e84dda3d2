/* steps - self-attention step by step on real numbers, after the illustrated explanations: from the
 * embedding to the output of one head, first as the vectors of one token, then as matrices. The
 * step is part of the link.
 */
import {h} from 'preact';
import {StepsFigure} from './steps/figure.js';
import {stepOf, STEPS, stepsNeeds, stepsScene} from './steps/scene.js';
import {stepsSvg} from './steps/svg.js';
import {stepCaption, stepsTable} from './steps/table.js';

/** @type {import('./view.js').View} */
export const stepsView = {
    id: 'steps',
    controls: ['layer', 'head'],
    wide: true,
    needs: stepsNeeds,
    render: (state, data, on) => h(StepsFigure, {state, data, on}),
    howTo: t => t.steps.howTo,
    svg: stepsSvg,
    table: stepsTable,
    describe: (state, data, t) =>
        t.steps.describe(
            stepCaption(state, stepsScene(state, data), t),
            t.steps.stages[STEPS[stepOf(state)]].says,
        ),
};
