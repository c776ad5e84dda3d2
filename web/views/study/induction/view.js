/* induction - heads that go on with what was there before, on random tokens said twice (Olsson et al. 2022;
 * src/study/kinds/induction.c).
 */
import {h} from 'preact';
import {signed} from '../../../draw/chart.js';
import {fullScale} from '../parts/headmap.js';
import {heldOutStudy} from '../parts/held_out.js';
import {PickSetting} from '../parts/pick.js';
import {perCent} from '../parts/sheet.js';
import {setting} from '../study.js';

const TOKENS = 'said';
const WAYS = ['vocabulary', 'corpus'];

export const inductionStudy = heldOutStudy({
    id: 'induction',
    unit: () => ({format: perCent, difference: value => signed(100 * value, 1)}),
    // full colour is at least what a reader would call a pattern: a fifth of the weight
    scaleOf: (values, rule) => fullScale(values, Math.max(0.2, rule)),
    about: ({answer: {n}}, t) => t.heldOut.induction({texts: n[0][0]}),
    more: {
        options: state => ({tokens: setting(state, TOKENS, WAYS[0])}),
        controls: (state, about, on, t) =>
            h(PickSetting, {
                id: 'induction-tokens',
                label: t.heldOut.tokens,
                hint: t.heldOut.tokensHint,
                ...{options: WAYS, names: t.heldOut.ways, state, set: on.set, name: TOKENS},
            }),
    },
});
