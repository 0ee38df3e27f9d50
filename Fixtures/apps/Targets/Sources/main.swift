import Feed
import Store

Feed().open()
Till().open()
Till().pay()
