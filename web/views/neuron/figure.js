/* figure - the neuron view as HTML: from a query and the keys to weights, from weights and values
 * to a sum, from the sums of all heads to what the layer adds to its token.
 */
import {h} from 'preact';
import {useMemo, useState} from 'preact/hooks';
import {scaleOf} from '../../draw/chart.js';
import {Legend} from '../parts/legend.js';
import {toggleNeuron} from '../parts/one.js';
import {Rows} from '../parts/rows.js';
import {Vector} from '../parts/vector.js';
import {BLOCKS, scoreColumns, valueColumns} from './columns.js';
import {Deciders, Effects, Zeroed} from './panel.js';
import {Readout} from './readout.js';
import {headScene, queryScene, shownQuery} from './scene.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').ViewData} ViewData
 * @typedef {import('../view.js').On} On
 * @typedef {import('../parts/rows.js').Place} Place
 * @typedef {{state: ViewState, data: ViewData, on: On}} Props
 * @typedef {ReturnType<typeof useScenes> & Props} Inside
 */

const NARROW = 640;

/** @param {Props} props */
function useScenes({state, data}) {
    const scene = headScene(state, data);
    const query = shownQuery(state, data, data.focus);
    const shown = useMemo(() => queryScene(scene, data, query), [scene, query]);
    return {scene, shown};
}

/** Which blocks of cells are open; on a narrow page the reader chooses one by one.
 * @param {boolean} narrow */
function useOpen(narrow) {
    const [chosen, setChosen] = useState(/** @type {string[] | null} */ (null));
    const open = chosen ?? (narrow ? ['products', 'weighted'] : Object.keys(BLOCKS));
    const toggle = (/** @type {string} */ id) =>
        setChosen(open.includes(id) ? open.filter(other => other !== id) : [...open, id]);
    return {open, toggle};
}

/** @param {Inside & {open: readonly string[], toggle: (id: string) => void}} props */
const Toolbar = ({scene, data: {t, theme}, open, toggle}) =>
    h(
        'div',
        {class: 'toolbar'},
        h(
            'span',
            {class: 'toggles', role: 'group', 'aria-label': t.neuron.blocks},
            t.neuron.blocks,
            Object.entries(BLOCKS).map(([id, name]) =>
                h(
                    'button',
                    {
                        key: id,
                        type: 'button',
                        class: 'toggle',
                        'aria-pressed': open.includes(id),
                        onClick: () => toggle(id),
                    },
                    name,
                ),
            ),
        ),
        h(
            'span',
            {class: 'legends'},
            h(Legend, {name: 'q, k', scale: scene.vectorScale, theme}),
            h(Legend, {name: 'q × k', scale: scene.productScale, theme}),
            h(Legend, {name: 'v', scale: scene.valueScale, theme}),
            h(Legend, {name: 'a × v', scale: scene.sumScale, theme}),
        ),
    );

/** @param {Inside & {onToggle: (neuron: number) => void}} props */
const Changes = ({state, data, on, scene, shown, onToggle}) =>
    h(
        'div',
        {class: 'changes'},
        h(
            'button',
            {
                type: 'button',
                class: 'plain',
                'aria-disabled': !state.zeroed.length,
                onClick: () => on.set({zeroed: []}),
            },
            data.t.neuron.restoreAll(state.zeroed.length),
        ),
        h(Zeroed, {scene, shown, t: data.t, onToggle}),
        h(
            'button',
            {
                type: 'button',
                class: 'plain',
                'aria-expanded': state.effects,
                onClick: () => on.set({effects: !state.effects}),
            },
            data.t.neuron.effects,
        ),
        state.effects && h(Effects, {data, t: data.t}),
    );

/** @param {Inside} props */
function Onward({scene, shown, data, on}) {
    const {t, theme, width} = data;
    const {d, head} = scene;
    const same = {on, theme, width, t};
    const {context, projected, output} = shown;
    return h(
        'div',
        {class: 'onward'},
        h(Vector, {...same, name: t.neuron.sumName, values: shown.sum, scale: scene.sumScale}),
        h('h3', null, t.neuron.projection),
        h('p', null, t.neuron.projectionSays(head)),
        h(Vector, {
            ...same,
            name: t.neuron.contextName,
            values: context,
            scale: scaleOf(context),
            part: [head * d, (head + 1) * d],
        }),
        h(Vector, {
            ...same,
            name: t.neuron.projectedName,
            values: projected,
            scale: scaleOf(projected),
        }),
        h(Vector, {...same, name: t.neuron.outputName, values: output, scale: scaleOf(output)}),
    );
}

/** The cell pointed at, else the key last chosen (or the winner) and the neuron last chosen (or the
 * first to decide).
 * @param {Inside} props */
function useCursor({scene, shown, data: {focus}}) {
    const [hover, setHover] = useState(/** @type {Place | null} */ (null));
    const [picked, setPicked] = useState({row: -1, col: -1});
    const {decision} = shown;
    const keyFocus = focus?.side === 'key' ? focus.index : -1;
    const first = (/** @type {number[]} */ ...choices) => choices.find(choice => choice >= 0) ?? 0;
    const row = Math.min(
        first(hover?.row ?? -1, keyFocus, picked.row, decision?.winner ?? 0),
        scene.T - 1,
    );
    const col = Math.min(first(hover?.col ?? -1, picked.col, decision?.order[0] ?? 0), scene.d - 1);
    return {cursor: {row, col}, setHover, setPicked};
}

/** @param {Props} props */
export function NeuronFigure(props) {
    const {state, data, on} = props;
    const {t, theme, width, pinned, cursor: stop} = data;
    const narrow = width < NARROW;
    const inside = {...props, ...useScenes(props)};
    const {scene, shown} = inside;
    const {open, toggle} = useOpen(narrow);
    const {cursor, setHover, setPicked} = useCursor(inside);
    const onToggle = (/** @type {number} */ neuron) =>
        on.set({zeroed: toggleNeuron(state.zeroed, scene, neuron)});
    const onPick = (/** @type {Place} */ place, /** @type {boolean} */ touch) => {
        setPicked(place);
        if (!touch) onToggle(place.col);
    };
    const {decision} = shown;
    const marks = useMemo(
        () => (decision ? decision.order.slice(0, decision.half) : []),
        [decision],
    );
    const look = {
        scene,
        shown,
        t,
        open,
        narrow,
        marks,
        stop: stop?.side === 'query' ? stop.index : shown.query,
        pressed: pinned?.side === 'query' ? pinned.index : state.token,
    };
    const columns = useMemo(
        () => scoreColumns(look),
        [scene, shown, t, open.join(), narrow, look.stop, look.pressed],
    );
    const values = useMemo(() => valueColumns(look), [scene, shown, t, open.join(), narrow]);
    const same = {on, theme, width, cursor, onPoint: setHover};
    return h(
        'div',
        {class: 'neuron-view', onClick: (/** @type {MouseEvent} */ event) => keepToken(event, on)},
        h(Toolbar, {...inside, open, toggle}),
        h(Deciders, {scene, shown, t, onToggle}),
        h(Changes, {...inside, onToggle}),
        h(Rows, {...same, columns, onPick}),
        h(
            'details',
            {open: true, class: 'then'},
            h('summary', null, t.neuron.then),
            h(Rows, {...same, columns: values}),
            h(Onward, inside),
        ),
        h(Readout, {
            scene,
            shown,
            t,
            target: cursor.row,
            neuron: cursor.col,
            onToggle,
            onNeuron: neuron => setPicked({row: cursor.row, col: neuron}),
        }),
    );
}

/** A query that is pressed is picked: it is part of the link. @param {MouseEvent} event
 * @param {On} on */
function keepToken({target}, on) {
    const button = /** @type {Element} */ (target).closest('[data-side="query"]');
    if (button) on.set({token: Number(button.getAttribute('data-index'))});
}
