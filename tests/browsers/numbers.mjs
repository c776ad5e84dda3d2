/* numbers - the head view's table of mini-en, made here in Node straight from the engine, without
 * any code of the page's views: what each browser must show, bit for bit. */
import {defaults} from '../../web/state/state.js';
import {openModel} from '../js/lib/model.mjs';

/** For each query the three strongest keys by the mean over the heads. */
export async function numbersHere(text, textB, layer) {
    const opened = await openModel('models/mini-en', 'q8');
    const {session, model} = opened;
    const T = session.tokenize(text, textB || null);
    const ids = session.tokens().map(({id}) => id);
    const {data: weights} = opened
        .run(defaults.precision, ['attention'])
        .tensor('attention', layer);
    const mean = (query, key) =>
        Array.from(
            {length: model.heads},
            (_, head) => weights[(head * T + query) * T + key],
        ).reduce((sum, weight) => sum + weight, 0) / model.heads;
    return ids.map((id, query) => [
        query,
        session.tokenText(id),
        ...ids
            .map((_, key) => ({key, mean: mean(query, key)}))
            .sort((a, b) => b.mean - a.mean || a.key - b.key)
            .slice(0, 3)
            .flatMap(({key, mean: value}) => [session.tokenText(ids[key]), value]),
    ]);
}
