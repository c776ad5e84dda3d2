/* decides_together - boxes of heads that are switched off at once (the view *What decides*). Their change
 * together is asked for in decides_view.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {Together} from '../../web/views/decides/together.js';
import {decidesView} from '../../web/views/decides/view.js';
import {openGolden, skip} from './lib/pictures.mjs';
import {en} from './lib/words.mjs';

const TEXT = 'the cat sat on the [MASK].';

test(
    'heads that are chosen can be taken back, however little they change, beside the ten that change most',
    {skip},
    async () => {
        const open = await openGolden('bert-tiny-random');
        const asked = {view: 'decides', text: TEXT};
        const {state, data} = await open(decidesView, asked);
        const heads = decidesView.scene(state, data).ranked.filter(({kind}) => kind === 'head');
        const last = heads.slice(-2);
        const together = last.map(({layer, head}) => `${layer}.${head}`);
        const few = await open(decidesView, {...asked, together});
        const scene = decidesView.scene(few.state, few.data);
        const drawn = renderToString(h(Together, {state: few.state, scene, on: {}, data: {t: en}}));
        const boxes = [...drawn.matchAll(/<input type="checkbox"( checked)?[^>]*> (L\d·H\d)/g)];
        const names = of => of.map(({layer, head}) => `L${layer}·H${head}`);
        assert.deepEqual(
            boxes.map(([, , name]) => name),
            names([...heads.slice(0, 10), ...last]),
        );
        const checked = boxes.filter(([, isChecked]) => isChecked).map(([, , name]) => name);
        assert.deepEqual(checked, names(last));
    },
);
