/* lazy - a part of a view that is fetched when it is first drawn: what the first picture does not
 * need. Until it is here its place is empty; from then on it is drawn at once.
 */
import {Component, h} from 'preact';

/** @param {() => Promise<import('preact').ComponentType<any>>} load
 * @returns {import('preact').ComponentType<any>} */
export function lazy(load) {
    /** @type {import('preact').ComponentType<any> | null} */
    let loaded = null;
    return class extends Component {
        componentDidMount() {
            if (!loaded)
                load().then(part => {
                    loaded = part;
                    this.setState({});
                });
        }

        /** @param {any} props */
        render(props) {
            return loaded && h(loaded, props);
        }
    };
}
